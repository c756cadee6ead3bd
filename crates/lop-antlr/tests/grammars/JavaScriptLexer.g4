// The tokens of JavaScript.
//
// A slash begins a regular expression or divides. A lexer without code tells them apart by the token before: in the mode ENDED, a value
// may have ended, and a slash divides; in the default mode, a value may begin. Both modes have the same tokens otherwise.
//
// Not covered: a regular expression right after the parentheses of if, while, for or with, where a slash is taken for a division; a
// division right after a closing brace, where it is taken for a regular expression; and a division after a property with the name of a
// keyword, as in a.in / b. A parser would have to help.
lexer grammar JavaScriptLexer;

HASHBANG : '#!' ~[\r\n]* -> channel(HIDDEN) ;
COMMENT  : '/*' .*? '*/' -> channel(HIDDEN) ;
REMARK   : '//' ~[\r\n\u2028\u2029]* -> channel(HIDDEN) ;
BLANK    : [ \t\r\n\f\u000B\u00A0\uFEFF\u2028\u2029]+ -> skip ;

// The braces of ${…} end where those within them have ended, so each brace has its own mode below it.
OPEN_BRACE  : '{' -> pushMode(DEFAULT_MODE) ;
CLOSE_BRACE : '}' -> popMode ;
BACKTICK    : '`' -> mode(ENDED), pushMode(TEMPLATE) ;

OPEN_PAREN              : '(' ;
CLOSE_PAREN             : ')' -> mode(ENDED) ;
OPEN_BRACKET            : '[' ;
CLOSE_BRACKET           : ']' -> mode(ENDED) ;
SEMICOLON               : ';' ;
COMMA                   : ',' ;
COLON                   : ':' ;
SPREAD                  : '...' ;
DOT                     : '.' ;
OPTIONAL                : '?.' ;
QUESTION                : '?' ;
ARROW                   : '=>' ;
PLUS_PLUS               : '++' ;
MINUS_MINUS             : '--' ;
PLUS                    : '+' ;
MINUS                   : '-' ;
TILDE                   : '~' ;
NOT                     : '!' ;
STAR                    : '*' ;
PERCENT                 : '%' ;
POWER                   : '**' ;
SHIFT_LEFT              : '<<' ;
SHIFT_RIGHT             : '>>' ;
SHIFT_RIGHT_ZERO        : '>>>' ;
LESS                    : '<' ;
GREATER                 : '>' ;
LESS_EQUAL              : '<=' ;
GREATER_EQUAL           : '>=' ;
EQUAL                   : '==' ;
NOT_EQUAL               : '!=' ;
SAME                    : '===' ;
NOT_SAME                : '!==' ;
BIT_AND                 : '&' ;
BIT_XOR                 : '^' ;
BIT_OR                  : '|' ;
AND                     : '&&' ;
OR                      : '||' ;
NULLISH                 : '??' ;
ASSIGN                  : '=' ;
STAR_ASSIGN             : '*=' ;
PERCENT_ASSIGN          : '%=' ;
PLUS_ASSIGN             : '+=' ;
MINUS_ASSIGN            : '-=' ;
SHIFT_LEFT_ASSIGN       : '<<=' ;
SHIFT_RIGHT_ASSIGN      : '>>=' ;
SHIFT_RIGHT_ZERO_ASSIGN : '>>>=' ;
AND_ASSIGN              : '&=' ;
XOR_ASSIGN              : '^=' ;
OR_ASSIGN               : '|=' ;
POWER_ASSIGN            : '**=' ;
LOGICAL_AND_ASSIGN      : '&&=' ;
LOGICAL_OR_ASSIGN       : '||=' ;
NULLISH_ASSIGN          : '??=' ;

BREAK                   : 'break' ;
CASE                    : 'case' ;
CATCH                   : 'catch' ;
CLASS                   : 'class' ;
CONST                   : 'const' ;
CONTINUE                : 'continue' ;
DEBUGGER                : 'debugger' ;
DEFAULT                 : 'default' ;
DELETE                  : 'delete' ;
DO                      : 'do' ;
ELSE                    : 'else' ;
EXPORT                  : 'export' ;
EXTENDS                 : 'extends' ;
FINALLY                 : 'finally' ;
FOR                     : 'for' ;
FUNCTION                : 'function' ;
IF                      : 'if' ;
IMPORT                  : 'import' ;
IN                      : 'in' ;
INSTANCEOF              : 'instanceof' ;
NEW                     : 'new' ;
RETURN                  : 'return' ;
SWITCH                  : 'switch' ;
THROW                   : 'throw' ;
TRY                     : 'try' ;
TYPEOF                  : 'typeof' ;
VAR                     : 'var' ;
VOID                    : 'void' ;
WHILE                   : 'while' ;
WITH                    : 'with' ;
FALSE                   : 'false' -> mode(ENDED) ;
NULL                    : 'null' -> mode(ENDED) ;
SUPER                   : 'super' -> mode(ENDED) ;
THIS                    : 'this' -> mode(ENDED) ;
TRUE                    : 'true' -> mode(ENDED) ;

// Keywords in some places, names in others.
AS                      : 'as' -> mode(ENDED) ;
ASYNC                   : 'async' -> mode(ENDED) ;
AWAIT                   : 'await' ;
FROM                    : 'from' -> mode(ENDED) ;
GET                     : 'get' -> mode(ENDED) ;
LET                     : 'let' -> mode(ENDED) ;
OF                      : 'of' ;
SET                     : 'set' -> mode(ENDED) ;
STATIC                  : 'static' -> mode(ENDED) ;
YIELD                   : 'yield' ;

NAME    : START PART* -> mode(ENDED) ;
PRIVATE : '#' START PART* -> mode(ENDED) ;
NUMBER
    : ( '0' [xX] [0-9a-fA-F_]+ | '0' [oO] [0-7_]+ | '0' [bB] [01_]+
      | [0-9] [0-9_]* ('.' [0-9_]*)? EXPONENT?
      | '.' [0-9] [0-9_]* EXPONENT?
      ) 'n'? -> mode(ENDED)
    ;
STRING
    : ( '"' ('\\' ('\r\n' | .) | ~["\\\r\n])* '"'
      | '\'' ('\\' ('\r\n' | .) | ~['\\\r\n])* '\''
      ) -> mode(ENDED)
    ;
REGEX
    : '/' ('\\' ~[\r\n] | '[' ('\\' ~[\r\n] | ~[\]\\\r\n])* ']' | ~[*/[\\\r\n])
      ('\\' ~[\r\n] | '[' ('\\' ~[\r\n] | ~[\]\\\r\n])* ']' | ~[/[\\\r\n])* '/' [a-z]* -> mode(ENDED)
    ;

fragment START    : [a-zA-Z_$\u00AA-\u1FFF\u2070-\uFEFE] | '\\u' ([0-9a-fA-F]+ | '{' [0-9a-fA-F]+ '}') ;
fragment PART     : START | [0-9\u200C\u200D] ;
fragment EXPONENT : [eE] [-+]? [0-9_]+ ;

mode ENDED;

DIVIDE        : '/' -> mode(DEFAULT_MODE) ;
DIVIDE_ASSIGN : '/=' -> mode(DEFAULT_MODE) ;

ENDED_COMMENT           : COMMENT -> channel(HIDDEN) ;
ENDED_REMARK            : REMARK -> channel(HIDDEN) ;
ENDED_BLANK             : BLANK -> skip ;

ENDED_OPEN_BRACE        : OPEN_BRACE -> type(OPEN_BRACE), mode(DEFAULT_MODE), pushMode(DEFAULT_MODE) ;
ENDED_CLOSE_BRACE       : CLOSE_BRACE -> type(CLOSE_BRACE), popMode ;
ENDED_BACKTICK          : BACKTICK -> type(BACKTICK), pushMode(TEMPLATE) ;
ENDED_OPEN_PAREN        : OPEN_PAREN -> type(OPEN_PAREN), mode(DEFAULT_MODE) ;
ENDED_CLOSE_PAREN       : CLOSE_PAREN -> type(CLOSE_PAREN) ;
ENDED_OPEN_BRACKET      : OPEN_BRACKET -> type(OPEN_BRACKET), mode(DEFAULT_MODE) ;
ENDED_CLOSE_BRACKET     : CLOSE_BRACKET -> type(CLOSE_BRACKET) ;
ENDED_SEMICOLON         : SEMICOLON -> type(SEMICOLON), mode(DEFAULT_MODE) ;
ENDED_COMMA             : COMMA -> type(COMMA), mode(DEFAULT_MODE) ;
ENDED_COLON             : COLON -> type(COLON), mode(DEFAULT_MODE) ;
ENDED_SPREAD            : SPREAD -> type(SPREAD), mode(DEFAULT_MODE) ;
ENDED_DOT               : DOT -> type(DOT), mode(DEFAULT_MODE) ;
ENDED_OPTIONAL          : OPTIONAL -> type(OPTIONAL), mode(DEFAULT_MODE) ;
ENDED_QUESTION          : QUESTION -> type(QUESTION), mode(DEFAULT_MODE) ;
ENDED_ARROW             : ARROW -> type(ARROW), mode(DEFAULT_MODE) ;
ENDED_PLUS_PLUS         : PLUS_PLUS -> type(PLUS_PLUS) ;
ENDED_MINUS_MINUS       : MINUS_MINUS -> type(MINUS_MINUS) ;
ENDED_PLUS              : PLUS -> type(PLUS), mode(DEFAULT_MODE) ;
ENDED_MINUS             : MINUS -> type(MINUS), mode(DEFAULT_MODE) ;
ENDED_TILDE             : TILDE -> type(TILDE), mode(DEFAULT_MODE) ;
ENDED_NOT               : NOT -> type(NOT), mode(DEFAULT_MODE) ;
ENDED_STAR              : STAR -> type(STAR), mode(DEFAULT_MODE) ;
ENDED_PERCENT           : PERCENT -> type(PERCENT), mode(DEFAULT_MODE) ;
ENDED_POWER             : POWER -> type(POWER), mode(DEFAULT_MODE) ;
ENDED_SHIFT_LEFT        : SHIFT_LEFT -> type(SHIFT_LEFT), mode(DEFAULT_MODE) ;
ENDED_SHIFT_RIGHT       : SHIFT_RIGHT -> type(SHIFT_RIGHT), mode(DEFAULT_MODE) ;
ENDED_SHIFT_RIGHT_ZERO  : SHIFT_RIGHT_ZERO -> type(SHIFT_RIGHT_ZERO), mode(DEFAULT_MODE) ;
ENDED_LESS              : LESS -> type(LESS), mode(DEFAULT_MODE) ;
ENDED_GREATER           : GREATER -> type(GREATER), mode(DEFAULT_MODE) ;
ENDED_LESS_EQUAL        : LESS_EQUAL -> type(LESS_EQUAL), mode(DEFAULT_MODE) ;
ENDED_GREATER_EQUAL     : GREATER_EQUAL -> type(GREATER_EQUAL), mode(DEFAULT_MODE) ;
ENDED_EQUAL             : EQUAL -> type(EQUAL), mode(DEFAULT_MODE) ;
ENDED_NOT_EQUAL         : NOT_EQUAL -> type(NOT_EQUAL), mode(DEFAULT_MODE) ;
ENDED_SAME              : SAME -> type(SAME), mode(DEFAULT_MODE) ;
ENDED_NOT_SAME          : NOT_SAME -> type(NOT_SAME), mode(DEFAULT_MODE) ;
ENDED_BIT_AND           : BIT_AND -> type(BIT_AND), mode(DEFAULT_MODE) ;
ENDED_BIT_XOR           : BIT_XOR -> type(BIT_XOR), mode(DEFAULT_MODE) ;
ENDED_BIT_OR            : BIT_OR -> type(BIT_OR), mode(DEFAULT_MODE) ;
ENDED_AND               : AND -> type(AND), mode(DEFAULT_MODE) ;
ENDED_OR                : OR -> type(OR), mode(DEFAULT_MODE) ;
ENDED_NULLISH           : NULLISH -> type(NULLISH), mode(DEFAULT_MODE) ;
ENDED_ASSIGN            : ASSIGN -> type(ASSIGN), mode(DEFAULT_MODE) ;
ENDED_STAR_ASSIGN       : STAR_ASSIGN -> type(STAR_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_PERCENT_ASSIGN    : PERCENT_ASSIGN -> type(PERCENT_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_PLUS_ASSIGN       : PLUS_ASSIGN -> type(PLUS_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_MINUS_ASSIGN      : MINUS_ASSIGN -> type(MINUS_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_SHIFT_LEFT_ASSIGN : SHIFT_LEFT_ASSIGN -> type(SHIFT_LEFT_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_SHIFT_RIGHT_ASSIGN: SHIFT_RIGHT_ASSIGN -> type(SHIFT_RIGHT_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_SHIFT_RIGHT_ZERO_ASSIGN: SHIFT_RIGHT_ZERO_ASSIGN -> type(SHIFT_RIGHT_ZERO_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_AND_ASSIGN        : AND_ASSIGN -> type(AND_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_XOR_ASSIGN        : XOR_ASSIGN -> type(XOR_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_OR_ASSIGN         : OR_ASSIGN -> type(OR_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_POWER_ASSIGN      : POWER_ASSIGN -> type(POWER_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_LOGICAL_AND_ASSIGN: LOGICAL_AND_ASSIGN -> type(LOGICAL_AND_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_LOGICAL_OR_ASSIGN : LOGICAL_OR_ASSIGN -> type(LOGICAL_OR_ASSIGN), mode(DEFAULT_MODE) ;
ENDED_NULLISH_ASSIGN    : NULLISH_ASSIGN -> type(NULLISH_ASSIGN), mode(DEFAULT_MODE) ;

ENDED_BREAK             : BREAK -> type(BREAK), mode(DEFAULT_MODE) ;
ENDED_CASE              : CASE -> type(CASE), mode(DEFAULT_MODE) ;
ENDED_CATCH             : CATCH -> type(CATCH), mode(DEFAULT_MODE) ;
ENDED_CLASS             : CLASS -> type(CLASS), mode(DEFAULT_MODE) ;
ENDED_CONST             : CONST -> type(CONST), mode(DEFAULT_MODE) ;
ENDED_CONTINUE          : CONTINUE -> type(CONTINUE), mode(DEFAULT_MODE) ;
ENDED_DEBUGGER          : DEBUGGER -> type(DEBUGGER), mode(DEFAULT_MODE) ;
ENDED_DEFAULT           : DEFAULT -> type(DEFAULT), mode(DEFAULT_MODE) ;
ENDED_DELETE            : DELETE -> type(DELETE), mode(DEFAULT_MODE) ;
ENDED_DO                : DO -> type(DO), mode(DEFAULT_MODE) ;
ENDED_ELSE              : ELSE -> type(ELSE), mode(DEFAULT_MODE) ;
ENDED_EXPORT            : EXPORT -> type(EXPORT), mode(DEFAULT_MODE) ;
ENDED_EXTENDS           : EXTENDS -> type(EXTENDS), mode(DEFAULT_MODE) ;
ENDED_FINALLY           : FINALLY -> type(FINALLY), mode(DEFAULT_MODE) ;
ENDED_FOR               : FOR -> type(FOR), mode(DEFAULT_MODE) ;
ENDED_FUNCTION          : FUNCTION -> type(FUNCTION), mode(DEFAULT_MODE) ;
ENDED_IF                : IF -> type(IF), mode(DEFAULT_MODE) ;
ENDED_IMPORT            : IMPORT -> type(IMPORT), mode(DEFAULT_MODE) ;
ENDED_IN                : IN -> type(IN), mode(DEFAULT_MODE) ;
ENDED_INSTANCEOF        : INSTANCEOF -> type(INSTANCEOF), mode(DEFAULT_MODE) ;
ENDED_NEW               : NEW -> type(NEW), mode(DEFAULT_MODE) ;
ENDED_RETURN            : RETURN -> type(RETURN), mode(DEFAULT_MODE) ;
ENDED_SWITCH            : SWITCH -> type(SWITCH), mode(DEFAULT_MODE) ;
ENDED_THROW             : THROW -> type(THROW), mode(DEFAULT_MODE) ;
ENDED_TRY               : TRY -> type(TRY), mode(DEFAULT_MODE) ;
ENDED_TYPEOF            : TYPEOF -> type(TYPEOF), mode(DEFAULT_MODE) ;
ENDED_VAR               : VAR -> type(VAR), mode(DEFAULT_MODE) ;
ENDED_VOID              : VOID -> type(VOID), mode(DEFAULT_MODE) ;
ENDED_WHILE             : WHILE -> type(WHILE), mode(DEFAULT_MODE) ;
ENDED_WITH              : WITH -> type(WITH), mode(DEFAULT_MODE) ;
ENDED_FALSE             : FALSE -> type(FALSE) ;
ENDED_NULL              : NULL -> type(NULL) ;
ENDED_SUPER             : SUPER -> type(SUPER) ;
ENDED_THIS              : THIS -> type(THIS) ;
ENDED_TRUE              : TRUE -> type(TRUE) ;
ENDED_AS                : AS -> type(AS) ;
ENDED_ASYNC             : ASYNC -> type(ASYNC) ;
ENDED_AWAIT             : AWAIT -> type(AWAIT), mode(DEFAULT_MODE) ;
ENDED_FROM              : FROM -> type(FROM) ;
ENDED_GET               : GET -> type(GET) ;
ENDED_LET               : LET -> type(LET) ;
ENDED_OF                : OF -> type(OF), mode(DEFAULT_MODE) ;
ENDED_SET               : SET -> type(SET) ;
ENDED_STATIC            : STATIC -> type(STATIC) ;
ENDED_YIELD             : YIELD -> type(YIELD), mode(DEFAULT_MODE) ;
ENDED_NAME              : NAME -> type(NAME) ;
ENDED_PRIVATE           : PRIVATE -> type(PRIVATE) ;
ENDED_NUMBER            : NUMBER -> type(NUMBER) ;
ENDED_STRING            : STRING -> type(STRING) ;

mode TEMPLATE;

TEXT         : ('\\' . | '$'+ ~[`\\${] | ~[`\\$])+ ;
DOLLAR       : '$' -> type(TEXT) ;
EMBEDDED     : '${' -> pushMode(DEFAULT_MODE) ;
END_BACKTICK : BACKTICK -> type(BACKTICK), popMode ;
