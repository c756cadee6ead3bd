// JavaScript of 2020, with private members and the newer assignments.
//
// A semicolon is optional wherever one may end a statement, since a parser without code does not know where lines end: texts are accepted
// that lack a semicolon on one line. Where a text can be read in two ways, the alternative that comes first wins, and the longer statement.
// JSX and decorators are not covered.
parser grammar JavaScriptParser;

options { tokenVocab = JavaScriptLexer; }

program : item* EOF ;

item : importing | exporting | statement ;

// Modules

importing
    : 'import' (bindings 'from')? STRING ';'?
    ;

bindings
    : name (',' (namespace | specifiers))?
    | namespace
    | specifiers
    ;

namespace : '*' 'as' word ;

specifiers : '{' (specifier (',' specifier)* ','?)? '}' ;

specifier : (word | STRING) ('as' (word | STRING))? ;

exporting
    : 'export' 'default' (functionDefinition | classDefinition | expression ';'?)
    | 'export' (functionDefinition | classDefinition | variables ';'?)
    | 'export' specifiers ('from' STRING)? ';'?
    | 'export' '*' ('as' (word | STRING))? 'from' STRING ';'?
    ;

// Statements

statement
    : block
    | ';'
    | functionDefinition
    | classDefinition
    | 'if' '(' commaExpression ')' statement ('else' statement)?
    | 'for' 'await'? '(' loop ')' statement
    | 'while' '(' commaExpression ')' statement
    | 'do' statement 'while' '(' commaExpression ')' ';'?
    | 'switch' '(' commaExpression ')' '{' clause* '}'
    | 'with' '(' commaExpression ')' statement
    | 'try' block (handler finalizer? | finalizer)
    | 'return' commaExpression? ';'?
    | 'throw' commaExpression ';'?
    | 'break' name? ';'?
    | 'continue' name? ';'?
    | 'debugger' ';'?
    | name ':' statement
    | variables ';'?
    | commaExpression ';'?
    ;

block : '{' statement* '}' ;

variables : ('var' | 'let' | 'const') variable (',' variable)* ;

variable : target ('=' expression)? ;

loop
    : ('var' | 'let' | 'const') target ('in' | 'of') commaExpression
    | (variables | commaExpression)? ';' commaExpression? ';' commaExpression?
    | expression ('in' | 'of') commaExpression
    ;

clause : ('case' commaExpression | 'default') ':' statement* ;

handler : 'catch' ('(' target ')')? block ;

finalizer : 'finally' block ;

// What a value is bound to: a name or a pattern.
target : name | arrayPattern | objectPattern ;

arrayPattern : '[' (','* bound (','+ bound)*)? ','* ']' ;

objectPattern : '{' (property (',' property)* ','?)? '}' ;

bound : '...'? target ('=' expression)? ;

property
    : key ':' target ('=' expression)?
    | name ('=' expression)?
    | '...' target
    ;

// Functions and classes

functionDefinition : 'async'? 'function' '*'? name? parameters block ;

parameters : '(' (bound (',' bound)* ','?)? ')' ;

classDefinition : 'class' name? ('extends' expression)? '{' member* '}' ;

member
    : 'static'? method
    | 'static'? key ('=' expression)? ';'?
    | 'static' block
    | ';'
    ;

method : ('async'? '*'? | 'get' | 'set') key parameters block ;

key : word | STRING | NUMBER | PRIVATE | '[' expression ']' ;

// Expressions

commaExpression : expression (',' expression)* ;

expression
    : name                                                                               # NameExpression
    | literal                                                                            # LiteralExpression
    | template                                                                           # TemplateExpression
    | ('this' | 'super')                                                                 # ThisExpression
    | PRIVATE                                                                            # PrivateExpression
    | functionDefinition                                                                 # FunctionExpression
    | classDefinition                                                                    # ClassExpression
    | arrayLiteral                                                                       # ArrayExpression
    | objectLiteral                                                                      # ObjectExpression
    | '(' commaExpression ')'                                                            # ParenthesesExpression
    | 'async'? (name | parameters) '=>' (block | expression)                             # ArrowExpression
    | 'import' '(' expression ','? ')'                                                   # ImportExpression
    | ('import' | 'new') '.' word                                                        # MetaExpression
    | expression ('.' | '?.') (word | PRIVATE)                                           # MemberExpression
    | expression '?.'? '[' commaExpression ']'                                           # IndexExpression
    | expression '?.'? arguments                                                         # CallExpression
    | expression template                                                                # TaggedExpression
    | 'new' callee arguments?                                                            # NewExpression
    | expression ('++' | '--')                                                           # PostfixExpression
    | ('++' | '--' | '+' | '-' | '~' | '!' | 'delete' | 'void' | 'typeof' | 'await') expression # PrefixExpression
    | <assoc=right> expression '**' expression                                           # BinaryExpression
    | expression ('*' | '/' | '%') expression                                            # BinaryExpression
    | expression ('+' | '-') expression                                                  # BinaryExpression
    | expression ('<<' | '>>' | '>>>') expression                                        # BinaryExpression
    | expression ('<' | '>' | '<=' | '>=' | 'in' | 'instanceof') expression              # BinaryExpression
    | expression ('==' | '!=' | '===' | '!==') expression                                # BinaryExpression
    | expression '&' expression                                                          # BinaryExpression
    | expression '^' expression                                                          # BinaryExpression
    | expression '|' expression                                                          # BinaryExpression
    | expression '&&' expression                                                         # BinaryExpression
    | expression ('||' | '??') expression                                                # BinaryExpression
    | <assoc=right> expression '?' expression ':' expression                             # ConditionalExpression
    | <assoc=right> expression
      ('=' | '*=' | '/=' | '%=' | '+=' | '-=' | '<<=' | '>>=' | '>>>=' | '&=' | '^=' | '|=' | '**=' | '&&=' | '||=' | '??=')
      expression                                                                         # AssignmentExpression
    | 'yield' '*'? expression                                                            # YieldExpression
    | 'yield'                                                                            # YieldExpression
    ;

// What new makes an object of: no call, since the first arguments are those of new.
callee
    : name | 'this' | 'super' | PRIVATE | functionDefinition | classDefinition
    | '(' commaExpression ')'
    | 'new' '.' word
    | 'new' callee arguments?
    | callee '.' (word | PRIVATE)
    | callee '[' commaExpression ']'
    | callee template
    ;

literal : NUMBER | STRING | REGEX | 'true' | 'false' | 'null' ;

template : BACKTICK (TEXT | '${' commaExpression '}')* BACKTICK ;

arguments : '(' (argument (',' argument)* ','?)? ')' ;

argument : '...'? expression ;

arrayLiteral : '[' (','* argument (','+ argument)*)? ','* ']' ;

objectLiteral : '{' (entry (',' entry)* ','?)? '}' ;

// The one with = is a pattern on the left of an assignment.
entry
    : key ':' expression
    | method
    | name ('=' expression)?
    | '...' expression
    ;

// Names

name : NAME | soft ;

soft : 'as' | 'async' | 'await' | 'from' | 'get' | 'let' | 'of' | 'set' | 'static' | 'yield' ;

// Keywords name properties, too.
word
    : name
    | 'break' | 'case' | 'catch' | 'class' | 'const' | 'continue' | 'debugger' | 'default' | 'delete' | 'do' | 'else' | 'export'
    | 'extends' | 'false' | 'finally' | 'for' | 'function' | 'if' | 'import' | 'in' | 'instanceof' | 'new' | 'null' | 'return'
    | 'super' | 'switch' | 'this' | 'throw' | 'true' | 'try' | 'typeof' | 'var' | 'void' | 'while' | 'with'
    ;
