// SQL in its dialects: SQLite, MySQL, PostgreSQL, DuckDB and their kin.
//
// It accepts more than any of them. A statement of which it knows only the beginning is a row of words and brackets (`other`).

grammar sql;

options { caseInsensitive = true; }

script : ((statement | end) ';' | ';')* (statement | end)? EOF ;

// Not a statement: in a trigger, it is the end of the block.
end : 'END' 'TRANSACTION'? ;

statement
    : explain? (query | insert | update | delete)
    | createTable
    | createIndex
    | createView
    | createTrigger
    | createVirtualTable
    | alterTable
    | drop
    | setting
    | transaction
    | other
    ;

explain : 'EXPLAIN' ('QUERY' 'PLAN' | word)? ;

// Queries

query : with? compound orderBy? limit* locking? ;
with : 'WITH' 'RECURSIVE'? commonTable (',' commonTable)* ;
commonTable : name columns? 'AS' ('NOT'? 'MATERIALIZED')? '(' (query | insert | update | delete) ')' ;
compound : compound ('UNION' | 'INTERSECT' | 'EXCEPT') ('ALL' | 'DISTINCT')? compound | core ;
core
    : 'SELECT' modifier* result (',' result)* into? from? where? groupBy? having? windows? qualify?
    | 'VALUES' row (',' row)*
    | '(' query ')'
    | 'TABLE' path
    ;
modifier
    : 'DISTINCT' ('ON' list)? | 'ALL'
    | 'DISTINCTROW' | 'HIGH_PRIORITY' | 'STRAIGHT_JOIN' | 'SQL_NO_CACHE' | 'SQL_CALC_FOUND_ROWS'
    ;
result : '*' exclusion* | path '.' '*' exclusion* | expression alias? exclusion* ;
exclusion : ('EXCLUDE' | 'REPLACE') '(' result (',' result)* ')' ;
alias : 'AS' (name | STRING) | plain ;
into : 'INTO' path (',' path)* ;
from : 'FROM' tables ;
tables : table (',' table)* ;
table
    : table (joinKind? 'JOIN' | 'STRAIGHT_JOIN') table joinCondition?
    | 'LATERAL'? path arguments? ('PARTITION' columns)? indexed? sample? tableAlias?
    | 'LATERAL'? '(' query ')' tableAlias?
    | '(' tables ')' tableAlias?
    ;
joinKind : 'NATURAL'? ('INNER' | 'CROSS' | ('LEFT' | 'RIGHT' | 'FULL') 'OUTER'? | 'OUTER' | 'ASOF' | 'SEMI' | 'ANTI' | 'POSITIONAL') | 'NATURAL' ;
joinCondition : 'ON' expression | 'USING' columns ;
tableAlias : ('AS' name | plain) columns? ;
indexed : 'INDEXED' 'BY' name | 'NOT' 'INDEXED' | ('FORCE' | 'USE' | 'IGNORE') ('INDEX' | 'KEY') columns ;
sample : 'TABLESAMPLE' name? list ;
where : 'WHERE' expression ;
groupBy : 'GROUP' 'BY' ('ALL' | grouping (',' grouping)*) ('WITH' 'ROLLUP')? ;
grouping : expression | list | 'GROUPING' 'SETS' '(' grouping (',' grouping)* ')' | ('ROLLUP' | 'CUBE') list ;
having : 'HAVING' expression ;
qualify : 'QUALIFY' expression ;
windows : 'WINDOW' name 'AS' window (',' name 'AS' window)* ;
window : '(' name? ('PARTITION' 'BY' expression (',' expression)*)? orderBy? frame? ')' ;
frame : ('ROWS' | 'RANGE' | 'GROUPS') (bound | 'BETWEEN' bound 'AND' bound) ('EXCLUDE' word+)? ;
bound : 'CURRENT' 'ROW' | operand ('PRECEDING' | 'FOLLOWING') ;
orderBy : 'ORDER' 'BY' order (',' order)* ;
order : expression ('ASC' | 'DESC')? ('NULLS' ('FIRST' | 'LAST'))? ;
limit : 'LIMIT' expression (('OFFSET' | ',') expression)? | 'OFFSET' expression ('ROW' | 'ROWS')? | 'FETCH' word+ operand? word+ ;
locking : 'FOR' ('UPDATE' | 'SHARE') word* ;
row : 'ROW'? '(' expression (',' expression)* ')' ;
list : '(' (expression (',' expression)*)? ')' ;
columns : '(' name (',' name)* ')' ;

// Changes of data

insert : with? ('INSERT' ('OR' word | 'IGNORE')? | 'REPLACE') 'INTO'? path ('AS' name)? columns? source conflict* returning? ;
source : query | 'DEFAULT' 'VALUES' | 'VALUES' '(' ')' | 'SET' assignment (',' assignment)* ;
conflict
    : 'ON' 'CONFLICT' target? 'DO' ('NOTHING' | 'UPDATE' 'SET' assignment (',' assignment)* where?)
    | 'ON' 'DUPLICATE' 'KEY' 'UPDATE' assignment (',' assignment)*
    ;
target : '(' order (',' order)* ')' where? | 'ON' 'CONSTRAINT' name ;
update : with? 'UPDATE' ('OR' word)? tables 'SET' assignment (',' assignment)* from? where? returning? orderBy? limit? ;
assignment : (path | columns) ('=' | ':=') (expression | 'DEFAULT') ;
delete : with? 'DELETE' (path (',' path)*)? 'FROM' tables ('USING' tables)? where? returning? orderBy? limit? ;
returning : 'RETURNING' result (',' result)* ;

// Definitions

createTable
    : 'CREATE' ('OR' 'REPLACE')? temporary? 'TABLE' ifNotExists? path
      ('(' (column | tableConstraint) (',' (column | tableConstraint))* ')' tableOption* ('AS'? query)? | columns? 'AS' query | 'LIKE' path)
    ;
temporary : 'TEMP' | 'TEMPORARY' | 'UNLOGGED' | 'GLOBAL' 'TEMPORARY' | 'LOCAL' 'TEMPORARY' ;
ifNotExists : 'IF' 'NOT' 'EXISTS' ;
ifExists : 'IF' 'EXISTS' ;
column : name type? columnConstraint* ;
type : typeName+ ('(' typeArgument (',' typeArgument)* ')')? typeSuffix* ;
typeName : NAME | QUOTED | 'CHARACTER' | 'DATE' | 'INTERVAL' | 'SET' ;
typeSuffix : '[' NUMBER? ']' | 'UNSIGNED' | 'ZEROFILL' | 'WITH' name name | 'WITHOUT' name name | 'CHARACTER' 'SET' name | 'CHARSET' name ;
typeArgument : ('+' | '-')? NUMBER | STRING | name type? ;
columnConstraint
    : 'CONSTRAINT' name
    | 'PRIMARY' 'KEY' ('ASC' | 'DESC')? onConflict? 'AUTOINCREMENT'?
    | 'AUTOINCREMENT'
    | 'AUTO_INCREMENT'
    | 'NOT'? 'NULL' onConflict?
    | 'UNIQUE' 'KEY'? onConflict?
    | 'CHECK' '(' expression ')'
    | 'DEFAULT' operand
    | 'ON' 'UPDATE' operand
    | 'COLLATE' path
    | references
    | ('GENERATED' ('ALWAYS' | 'BY' 'DEFAULT'))? 'AS' ('(' expression ')' | 'IDENTITY' list?) ('STORED' | 'VIRTUAL')?
    | 'COMMENT' STRING
    ;
onConflict : 'ON' 'CONFLICT' word ;
references : 'REFERENCES' path columns? referencesOption* ;
referencesOption : 'ON' ('DELETE' | 'UPDATE') ('SET' ('NULL' | 'DEFAULT') | 'CASCADE' | 'RESTRICT' | 'NO' 'ACTION') | 'MATCH' name | 'NOT'? 'DEFERRABLE' ('INITIALLY' name)? ;
tableConstraint
    : ('CONSTRAINT' name)? ('PRIMARY' 'KEY' | 'UNIQUE' ('KEY' | 'INDEX')? name? | ('FULLTEXT' | 'SPATIAL')? ('KEY' | 'INDEX') name?) indexColumns ('USING' name)? onConflict?
    | ('CONSTRAINT' name)? 'CHECK' '(' expression ')'
    | ('CONSTRAINT' name)? 'FOREIGN' 'KEY' name? columns references
    | 'LIKE' path
    ;
indexColumns : '(' order (',' order)* ')' ;
tableOption : 'WITHOUT' 'ROWID' | 'STRICT' | ',' | 'DEFAULT'? (name+ | 'COLLATE' | 'CHARACTER' 'SET') '='? (NUMBER | STRING | name) | 'PARTITION' 'BY' name+ list ('(' part* ')')? | 'WITH' list ;
createIndex : 'CREATE' ('UNIQUE' | 'FULLTEXT' | 'SPATIAL')? 'INDEX' ifNotExists? path? 'ON' path ('USING' name)? indexColumns where? ;
createView : 'CREATE' ('OR' 'REPLACE')? temporary? 'MATERIALIZED'? 'VIEW' ifNotExists? path columns? 'AS' query ;
createTrigger
    : 'CREATE' temporary? 'TRIGGER' ifNotExists? path ('BEFORE' | 'AFTER' | 'INSTEAD' 'OF')? event ('OR' event)* 'ON' path
      ('FOR' 'EACH' ('ROW' | 'STATEMENT'))? ('WHEN' expression)? (block | statement)
    ;
event : 'DELETE' | 'INSERT' | 'UPDATE' ('OF' name (',' name)*)? ;
block : 'BEGIN' (statement ';')+ 'END' ;
createVirtualTable : 'CREATE' 'VIRTUAL' 'TABLE' ifNotExists? path 'USING' name ('(' (moduleArgument (',' moduleArgument)*)? ')')? ;
moduleArgument : (word | operand | '=')+ ;
alterTable : 'ALTER' 'TABLE' ifExists? path alteration (',' alteration)* ;
alteration
    : 'RENAME' ('TO' | 'AS')? path
    | 'RENAME' 'COLUMN'? name 'TO' name
    | 'ADD' 'COLUMN'? ifNotExists? (column | tableConstraint | '(' column (',' column)* ')')
    | 'DROP' ('COLUMN' | 'CONSTRAINT')? ifExists? name 'CASCADE'?
    | ('ALTER' | 'MODIFY' | 'CHANGE') 'COLUMN'? name word* column?
    | word+
    ;
drop : 'DROP' ('TABLE' | 'INDEX' | 'VIEW' | 'TRIGGER' | word+) ifExists? path (',' path)* ('ON' path)? ('CASCADE' | 'RESTRICT')? ;
setting : 'PRAGMA' path ('=' value | '(' value ')')? | 'SET' (variable (',' variable)* | word+) ;
variable : word* (path | VARIABLE) ('=' | 'TO' | ':=') expression ;
value : ('+' | '-')? NUMBER | STRING | word | 'ON' ;
transaction
    : 'BEGIN' word* | 'START' 'TRANSACTION' | 'COMMIT' word* | 'ROLLBACK' word* ('TO' 'SAVEPOINT'? name)? | 'SAVEPOINT' name | 'RELEASE' 'SAVEPOINT'? name
    ;
other : (name | 'USE' | ('ALTER' | 'CREATE' ('OR' 'REPLACE')?) (NAME | 'DATABASE' | 'CAST')) part* ;
part : '(' part* ')' | block | ~(';' | '(' | ')') ;

// Expressions

expression
    : 'NOT' expression
    | expression 'AND' expression
    | expression ('OR' | 'XOR') expression
    | operand
    ;
operand
    : literal
    | VARIABLE
    | 'CASE' expression? ('WHEN' expression 'THEN' expression)+ ('ELSE' expression)? 'END'
    | ('CAST' | 'TRY_CAST') '(' expression 'AS' type ')'
    | 'NOT'? 'EXISTS' '(' query ')'
    | call
    | path
    | '(' query ')'
    | '(' expression (',' expression)* ')'
    | 'ROW' list
    | 'ARRAY'? '[' (expression (',' expression)*)? ']'
    | 'ARRAY' '(' query ')'
    | '{' (name | STRING) ':' expression (',' (name | STRING) ':' expression)* '}'
    | 'INTERVAL' operand name?
    | ('+' | '-' | '~' | '!') operand
    | operand '::' type
    | operand '.' (name | '*')
    | operand '[' expression? (':' expression?)? ']'
    | operand 'COLLATE' path
    | operand 'AT' name name operand
    | operand OPERATOR operand
    | operand ('||' | '->' | '->>' | '#>' | '#>>' | '@>' | '<@' | '^') operand
    | operand ('*' | '/' | '%' | '//' | 'DIV' | 'MOD') operand
    | operand ('+' | '-') operand
    | operand ('<<' | '>>' | '&' | '|') operand
    | operand ('<' | '<=' | '>' | '>=' | '=' | '==' | '<>' | '!=' | '<=>' | '~' | ':=') ('ANY' | 'ALL' | 'SOME')? operand
    | operand 'IS' 'NOT'? ('DISTINCT' 'FROM')? operand
    | operand ('ISNULL' | 'NOTNULL' | 'NOT' 'NULL')
    | operand 'NOT'? ('LIKE' | 'ILIKE' | 'GLOB' | 'MATCH' | 'REGEXP' | 'RLIKE' | 'SIMILAR' 'TO') ('ANY' | 'ALL')? operand ('ESCAPE' operand)?
    | operand 'NOT'? 'BETWEEN' operand 'AND' operand
    | operand 'NOT'? 'IN' ('(' (query | expression (',' expression)*)? ')' | path arguments? | VARIABLE)
    | 'DEFAULT'
    ;
call : (path | 'LEFT' | 'RIGHT' | 'VALUES') '(' ('DISTINCT' | 'ALL')? ('*' | argument (',' argument)*)? orderBy? ('SEPARATOR' STRING)? ')' ('WITHIN' 'GROUP' '(' orderBy ')')? filter? over? ;
arguments : '(' (argument (',' argument)*)? ')' ;
argument : (name (':=' | '=>'))? expression | query | name '->' expression | name name ':' expression ;
filter : 'FILTER' '(' where ')' ;
over : 'OVER' (name | window) ;
literal : NUMBER | STRING+ | 'NULL' | 'TRUE' | 'FALSE' | ('CURRENT_TIMESTAMP' | 'CURRENT_TIME' | 'CURRENT_DATE') arguments? | (NAME | 'DATE') STRING ;

// Names

path : name ('.' name)* ;
name : plain | open ;
plain : NAME | QUOTED | BRACKETED ;
word : name | reserved | NUMBER | STRING ;
// Keywords that may be names.
open
    : 'ACTION' | 'AFTER' | 'ALWAYS' | 'ANALYZE' | 'ANTI' | 'ANY' | 'ASC' | 'ASOF' | 'AT' | 'AUTOINCREMENT'
    | 'AUTO_INCREMENT' | 'BEFORE' | 'CASCADE' | 'CHANGE' | 'CHARACTER' | 'CHARSET' | 'COLUMN' | 'COMMENT'
    | 'COMMIT' | 'CONFLICT' | 'CUBE' | 'CURRENT' | 'DATABASE' | 'DATE' | 'DESC' | 'DO' | 'DUPLICATE' | 'EACH' | 'ESCAPE'
    | 'EXCLUDE' | 'FALSE' | 'FETCH' | 'FILTER' | 'FIRST' | 'FOLLOWING' | 'FORCE' | 'FULLTEXT' | 'GENERATED' | 'GLOB'
    | 'GLOBAL' | 'GROUPING' | 'GROUPS' | 'IDENTITY' | 'IF' | 'IGNORE' | 'INDEXED' | 'INITIALLY' | 'INSTEAD' | 'INTERVAL'
    | 'KEY' | 'LAST' | 'LOCAL' | 'MATCH' | 'MATERIALIZED' | 'MOD' | 'MODIFY' | 'NO' | 'NOTHING' | 'NULLS' | 'OF' | 'OFFSET'
    | 'OVER' | 'PARTITION' | 'PLAN' | 'POSITIONAL' | 'PRAGMA' | 'PRECEDING' | 'QUERY' | 'RANGE' | 'RECURSIVE' | 'RELEASE'
    | 'RENAME' | 'REPLACE' | 'RESTRICT' | 'ROLLUP' | 'ROW' | 'ROWID' | 'ROWS' | 'SAVEPOINT' | 'SEMI' | 'SETS' | 'SHARE'
    | 'SIMILAR' | 'SOME' | 'SPATIAL' | 'START' | 'STATEMENT' | 'STORED' | 'STRICT' | 'TABLESAMPLE' | 'TEMP' | 'TEMPORARY'
    | 'TRANSACTION' | 'TRIGGER' | 'TRUE' | 'UNLOGGED' | 'UNSIGNED' | 'VIEW' | 'VIRTUAL' | 'WINDOW' | 'WITHIN' | 'WITHOUT'
    | 'ZEROFILL'
    ;
reserved
    : 'ADD' | 'ALL' | 'ALTER' | 'CONSTRAINT' | 'DEFAULT' | 'DEFERRABLE' | 'DISTINCT' | 'DROP' | 'FOR' | 'FOREIGN' | 'INDEX'
    | 'INTO' | 'LIKE' | 'PRIMARY' | 'REFERENCES' | 'RETURNING' | 'ROLLBACK' | 'SET' | 'TABLE' | 'TO' | 'UNIQUE' | 'USE'
    | 'USING'
    ;

NUMBER : [0-9]+ ('.' [0-9]*)? EXPONENT? | '.' [0-9]+ EXPONENT? | '0X' [0-9A-F]+ ;
fragment EXPONENT : 'E' [+-]? [0-9]+ ;
// Some dialects escape a quote by a backslash, others end a string behind one: `ESCAPE '\'`. A letter tells.
STRING : [XNBE]? '\'' (~['\\] | '\'\'' | '\\' ~['] | '\\\'' [A-Z0-9])* '\\'? '\'' | '$' TAG? '$' .*? '$' TAG? '$' ;
fragment TAG : [A-Z_] [A-Z0-9_]* ;
QUOTED : '"' (~["] | '""')* '"' | '`' (~[`] | '``')* '`' ;
BRACKETED : '[' [A-Z_] [A-Z0-9_ ]* ']' ;
VARIABLE : '?' [0-9]* | '$' [0-9]+ | [:@$] [A-Z_] [A-Z0-9_]* | '@@' [A-Z_] [A-Z0-9_.]* ;
NAME : [A-Z_\u0080-\uFFFF] [A-Z0-9_$#\u0080-\uFFFF]* ;
COMMENT : ('--' ~[\r\n]* | '/*' .*? '*/') -> channel(HIDDEN) ;
OPERATOR : [@#&|<>=~^?!]+ ;
// Commands of shells: psql, sqlite3.
COMMAND : '\\' [A-Z!?] ~[\r\n]* -> channel(HIDDEN) ;
DOT_COMMAND : [\r\n] '.' [A-Z] ~[\r\n]* -> channel(HIDDEN) ;
BLANK : [ \t\r\n\u000C\uFEFF]+ -> skip ;
