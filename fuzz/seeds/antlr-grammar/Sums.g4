// Left recursion with precedence, right associativity, prefix, suffix and a conditional.
grammar Sums;

program : (expression ';')* EOF ;

expression
    : expression '!'                                        # factorial
    | <assoc=right> expression '^' expression               # power
    | '-' expression                                        # minus
    | expression op=('*' | '/') expression                  # product
    | expression op=('+' | '-') expression                  # sum
    | expression '[' expression ']'                         # index
    | <assoc=right> expression '?' expression ':' expression # choice
    | <assoc=right> expression '=' expression               # assignment
    | '(' expression ')'                                    # brackets
    | NUMBER                                                # number
    | NAME (args+='(' (expression (',' expression)*)? ')')? # name
    ;

NUMBER : [0-9]+ ;
NAME   : [a-z]+ ;
BLANK  : [ \n\t]+ -> skip ;
