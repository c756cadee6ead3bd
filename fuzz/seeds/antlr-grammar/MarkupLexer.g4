lexer grammar MarkupLexer;

COMMENT : '<!--' .*? '-->' -> channel(HIDDEN) ;
CDATA   : '<![CDATA[' .*? ']]>' ;
ENTITY  : '&' [a-z#0-9]+ ';' ;
BLANK   : [ \t\r\n]+ -> skip ;
END     : '</' -> pushMode(TAG) ;
OPEN    : '<' -> pushMode(TAG) ;
TEXT    : ~[<& \t\r\n] ~[<&]* ;

mode TAG;

CLOSE  : '>' -> popMode ;
SLASH  : '/>' -> popMode ;
EQUALS : '=' ;
NAME   : [a-zA-Z_:] [-a-zA-Z0-9_:.]* ;
QUOTE  : '"' -> more, pushMode(VALUE) ;
SPACE  : [ \t\r\n]+ -> skip ;

mode VALUE;

STRING  : '"' -> popMode ;
ESCAPED : '&' [a-z]+ ';' -> more ;
CHAR    : . -> more ;
