// JSON, with the values that a program may print.
grammar Json;

document : value EOF ;

value
    : object
    | array
    | STRING
    | NUMBER
    | 'true'
    | 'false'
    | 'null'
    ;

object : '{' (pair (',' pair)*)? '}' ;
pair   : key=STRING ':' value ;
array  : '[' (value (',' value)*)? ']' ;

STRING : '"' (ESCAPE | ~["\\\u0000-\u001F])* '"' ;
NUMBER : '-'? INT ('.' [0-9]+)? ([eE] [+-]? [0-9]+)? ;

fragment ESCAPE : '\\' (["\\/bfnrt] | 'u' HEX HEX HEX HEX) ;
fragment HEX    : [0-9a-fA-F] ;
fragment INT    : '0' | [1-9] [0-9]* ;

SPACE : [ \t\r\n]+ -> skip ;
