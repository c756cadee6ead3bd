// A part of SQL, in any case.
grammar Query;

options { caseInsensitive = true; }

script    : (statement ';')* EOF ;
statement : select | insert | remove ;

select : 'select' 'distinct'? columns 'from' source where? order? limit? ;
insert : 'insert' 'into' name ('(' name (',' name)* ')')? 'values' tuple (',' tuple)* ;
remove : 'delete' 'from' name where? ;

columns : '*' | column (',' column)* ;
column  : expression ('as'? name)? ;
source  : name ('as'? name)? (join)* | '(' select ')' 'as'? name ;
join    : ('inner' | 'left' 'outer'?)? 'join' name 'on' expression ;
where   : 'where' expression ;
order   : 'order' 'by' expression ('asc' | 'desc')? (',' expression ('asc' | 'desc')?)* ;
limit   : 'limit' NUMBER ;
tuple   : '(' expression (',' expression)* ')' ;

expression
    : expression ('*' | '/') expression
    | expression ('+' | '-' | '||') expression
    | expression ('=' | '<>' | '<' | '>') expression
    | expression 'not'? 'in' '(' (select | expression (',' expression)*) ')'
    | expression 'is' 'not'? 'null'
    | 'not' expression
    | expression 'and' expression
    | expression 'or' expression
    | name '(' ('*' | expression (',' expression)*)? ')'
    | name ('.' name)?
    | '(' (expression | select) ')'
    | NUMBER
    | STRING
    | 'null'
    ;

name : NAME | QUOTED ;

NAME    : [a-z_] [a-z_0-9]* ;
QUOTED  : '"' ~'"'+ '"' ;
NUMBER  : [0-9]+ ('.' [0-9]+)? ;
STRING  : '\'' ('\'\'' | ~'\'')* '\'' ;
COMMENT : '--' ~[\r\n]* -> skip ;
BLANK   : [ \t\r\n]+ -> skip ;
