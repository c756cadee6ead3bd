// The first alternative wins, an else belongs to the nearest if, and loops take what they can.
grammar Ambiguous;

program   : statement* EOF ;
statement
    : 'if' NAME 'then' statement ('else' statement)?
    | call
    | word ';'
    | least
    | '{' statement* '}'
    ;
call : NAME+ arguments? ';' ;
arguments : (NAME | NUMBER)+ ;
word : NAME ;
least : '<' .*? '>' ;

NAME   : [a-z]+ ;
NUMBER : [0-9]+ ;
BLANK  : [ \n]+ -> skip ;
