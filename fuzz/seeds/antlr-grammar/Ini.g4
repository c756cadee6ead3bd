grammar Ini;

options { caseInsensitive = true; }

file    : (NEWLINE | entry)* section* EOF ;
section : '[' name=WORD ']' NEWLINE (entry | NEWLINE)* ;
entry   : key=WORD '=' value? (NEWLINE | EOF) ;
value   : WORD+ ;

WORD    : [a-z0-9_./-]+ ;
NEWLINE : '\r'? '\n' ;
COMMENT : [;#] ~[\r\n]* -> channel(HIDDEN) ;
BLANK   : [ \t]+ -> skip ;
