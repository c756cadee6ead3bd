grammar Lisp;

program : form* EOF ;
form    : list | vector | quoted | atom ;
list    : '(' form* ')' ;
vector  : '#(' form* ')' ;
quoted  : ('\'' | '`' | ',@' | ',') form ;
atom    : STRING | NUMBER | CHARACTER | SYMBOL ;

STRING    : '"' ('\\' . | ~["\\])* '"' ;
NUMBER    : [+-]? DIGIT+ ('.' DIGIT*)? ;
CHARACTER : '#\\' . [a-z]* ;
SYMBOL    : (LETTER | [-+*/<>=!?_.]) (LETTER | DIGIT | [-+*/<>=!?_.])* ;

fragment LETTER : [a-zA-Z] ;
fragment DIGIT  : [0-9] ;

// Comments are nested: the rule calls itself.
NESTED  : '#|' (NESTED | .)*? '|#' -> skip ;
COMMENT : ';' ~[\n]* -> skip ;
BLANK   : [ \t\r\n]+ -> skip ;
