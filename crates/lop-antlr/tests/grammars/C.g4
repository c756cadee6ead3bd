// C11 as the preprocessor leaves it, with what GNU C adds to it.
//
// A parser without code does not know which names are types. Where a text can be read in two ways, the alternative that comes first wins:
//
//   a * b;     declares a pointer b               (declaration before statement)
//   f(x);      calls f                            (a declarator in parentheses has something after them)
//   (a) * b    multiplies, (a)(b) calls           (parentheses before casts)
//   sizeof(a)  is the size of a value             (values before types)
//
// All of these are texts that the other reading accepts, too, so a text is accepted or refused as it should be.
//
// Lines of the preprocessor are hidden, whatever they say: a text with macros or with #if is accepted if it is in C without them.
// Not covered: digraphs, trigraphs, and lines that are continued within a word.
grammar C;

translationUnit : externalDeclaration* EOF ;

externalDeclaration
    : functionDefinition
    | declaration
    | assembly ';'
    | ';'
    ;

// The declarations are those of the parameters, in the style before 1989.
functionDefinition : specifiers? declarator attribute* declaration* compoundStatement ;

// Declarations

declaration
    : specifiers initDeclarator (',' initDeclarator)* ';'
    | tag ';'
    | staticAssert
    ;

staticAssert : '_Static_assert' '(' expression (',' STRING+)? ')' ';' ;

// At most one type. A name is taken for a type only if it is the only one, so `unsigned x` declares x.
specifiers
    : modifier* typeWord (typeWord | modifier)*
    | modifier* type modifier*
    | modifier+
    ;

// A declaration that declares nothing but a structure, a union or an enumeration.
tag : modifier* (structure | enumeration) modifier* ;

modifier : storage | qualifier | attribute ;

storage
    : 'typedef' | 'extern' | 'static' | 'auto' | 'register' | '_Thread_local' | '__thread'
    | 'inline' | '__inline' | '__inline__' | '_Noreturn' | '__extension__'
    | '_Alignas' '(' (expression | typeName) ')'
    ;

qualifier
    : 'const' | '__const' | '__const__'
    | 'volatile' | '__volatile' | '__volatile__'
    | 'restrict' | '__restrict' | '__restrict__'
    | '_Atomic'
    ;

typeWord
    : 'void' | 'char' | 'short' | 'int' | 'long' | 'float' | 'double'
    | 'signed' | '__signed' | '__signed__' | 'unsigned'
    | '_Bool' | '_Complex' | '__complex__' | '__int128' | '__float128' | '__auto_type'
    ;

type
    : structure
    | enumeration
    | '_Atomic' '(' typeName ')'
    | ('typeof' | '__typeof' | '__typeof__') '(' (commaExpression | typeName) ')'
    | NAME
    ;

structure
    : ('struct' | 'union') attribute* NAME? '{' member* '}'
    | ('struct' | 'union') attribute* NAME
    ;

member
    : specifiers (memberDeclarator (',' memberDeclarator)*)? ';'
    | staticAssert
    | ';'
    ;

memberDeclarator
    : declarator (':' expression)? attribute*
    | ':' expression attribute*
    ;

enumeration
    : 'enum' attribute* NAME? '{' enumerator (',' enumerator)* ','? '}'
    | 'enum' attribute* NAME
    ;

enumerator : NAME attribute* ('=' expression)? ;

initDeclarator : declarator label? attribute* ('=' initializer)? ;

// The name of a variable in the assembly code.
label : ('asm' | '__asm' | '__asm__') '(' STRING+ ')' ;

declarator : pointer* directDeclarator ;

pointer : '*' (qualifier | attribute)* ;

directDeclarator
    : NAME
    | '(' attribute* declarator ')' (parameters | dimension)
    | directDeclarator parameters
    | directDeclarator dimension
    ;

parameters : '(' (parameter (',' parameter)* (',' '...')?)? ')' ;

// A lone name is a type, or a parameter in the style before 1989.
parameter : specifiers (declarator | abstractDeclarator)? attribute* ;

dimension : '[' ('static' | qualifier)* (expression | '*')? ']' ;

typeName : specifiers abstractDeclarator? ;

abstractDeclarator
    : pointer+ directAbstractDeclarator?
    | directAbstractDeclarator
    ;

// A type of functions needs a pointer: otherwise all calls in parentheses might be casts.
directAbstractDeclarator
    : '(' attribute* abstractDeclarator ')' (parameters | dimension)
    | dimension
    | directAbstractDeclarator parameters
    | directAbstractDeclarator dimension
    ;

initializer
    : expression
    | initializerList
    ;

initializerList : '{' (element (',' element)* ','?)? '}' ;

element : (designator+ '=' | NAME ':')? initializer ;

designator
    : '[' expression ('...' expression)? ']'
    | '.' NAME
    ;

attribute : ('__attribute__' | '__attribute') '(' '(' property? (',' property?)* ')' ')' ;

property : (NAME | 'const' | '__const__') ('(' (argument (',' argument)*)? ')')? ;

// Statements

statement
    : compoundStatement
    | commaExpression? ';'
    | 'if' '(' commaExpression ')' statement ('else' statement)?
    | 'switch' '(' commaExpression ')' statement
    | 'while' '(' commaExpression ')' statement
    | 'do' statement 'while' '(' commaExpression ')' ';'
    | 'for' '(' (declaration | commaExpression? ';') commaExpression? ';' commaExpression? ')' statement
    | 'goto' (NAME | '*' expression) ';'
    | 'continue' ';'
    | 'break' ';'
    | 'return' commaExpression? ';'
    | NAME ':' attribute* statement
    | 'case' expression ('...' expression)? ':' statement
    | 'default' ':' statement
    | attribute+ ';'
    | assembly ';'
    ;

compoundStatement : '{' blockItem* '}' ;

blockItem
    : declaration
    | '__label__' NAME (',' NAME)* ';'
    | statement
    ;

assembly
    : ('asm' | '__asm' | '__asm__') (qualifier | 'goto' | 'inline')*
      '(' STRING+ (':' operands? (':' operands? (':' clobbers? (':' NAME (',' NAME)*)?)?)?)? ')'
    ;

operands : operand (',' operand)* ;
operand  : ('[' NAME ']')? STRING+ '(' commaExpression ')' ;
clobbers : STRING+ (',' STRING+)* ;

// Expressions

commaExpression : expression (',' expression)* ;

expression
    : NAME                                                                               # NameExpression
    | NUMBER                                                                             # NumberExpression
    | CHARACTER                                                                          # CharacterExpression
    | STRING+                                                                            # StringExpression
    | '(' commaExpression ')'                                                            # ParenthesesExpression
    | '(' compoundStatement ')'                                                          # StatementExpression
    | '(' typeName ')' initializerList                                                   # CompoundLiteralExpression
    | '_Generic' '(' expression (',' association)+ ')'                                   # GenericExpression
    | '__builtin_va_arg' '(' expression ',' typeName ')'                                 # VariableArgumentExpression
    | '__builtin_offsetof' '(' typeName ',' expression ')'                               # OffsetExpression
    | '__builtin_types_compatible_p' '(' typeName ',' typeName ')'                       # CompatibleExpression
    | expression '[' commaExpression ']'                                                 # IndexExpression
    | expression '(' (argument (',' argument)*)? ')'                                     # CallExpression
    | expression ('.' | '->') NAME                                                       # MemberExpression
    | expression ('++' | '--')                                                           # PostfixExpression
    | ('++' | '--' | '&' | '*' | '+' | '-' | '~' | '!' | '&&') expression                # PrefixExpression
    | ('__extension__' | '__real__' | '__imag__') expression                             # PrefixExpression
    | ('sizeof' | '_Alignof' | '__alignof__' | '__alignof') expression                   # SizeOfValueExpression
    | ('sizeof' | '_Alignof' | '__alignof__' | '__alignof') '(' typeName ')'             # SizeOfTypeExpression
    | '(' typeName ')' expression                                                        # CastExpression
    | expression ('*' | '/' | '%') expression                                            # BinaryExpression
    | expression ('+' | '-') expression                                                  # BinaryExpression
    | expression ('<<' | '>>') expression                                                # BinaryExpression
    | expression ('<' | '>' | '<=' | '>=') expression                                    # BinaryExpression
    | expression ('==' | '!=') expression                                                # BinaryExpression
    | expression '&' expression                                                          # BinaryExpression
    | expression '^' expression                                                          # BinaryExpression
    | expression '|' expression                                                          # BinaryExpression
    | expression '&&' expression                                                         # BinaryExpression
    | expression '||' expression                                                         # BinaryExpression
    | <assoc=right> expression '?' commaExpression? ':' expression                       # ConditionalExpression
    | <assoc=right> expression
      ('=' | '*=' | '/=' | '%=' | '+=' | '-=' | '<<=' | '>>=' | '&=' | '^=' | '|=') expression # AssignmentExpression
    ;

// Attributes and calls of built-in functions have types among their arguments.
argument : expression | typeName ;

association : ('default' | typeName) ':' expression ;

// Tokens

NAME : START (START | [0-9])* ;

fragment START : [a-zA-Z_$\u0080-\uFFFF] | '\\u' HEX HEX HEX HEX ;
fragment HEX   : [0-9a-fA-F] ;

// A number of the preprocessor: all numbers are among them.
NUMBER : '.'? [0-9] ([eEpP] [-+] | [0-9a-zA-Z_.])* ;

CHARACTER : [LuU]? '\'' (ESCAPE | ~['\\\r\n])+ '\'' ;
STRING    : ([LuU] | 'u8')? '"' (ESCAPE | ~["\\\r\n])* '"' ;

fragment ESCAPE : '\\' ('\r'? '\n' | ~[\r\n]) ;

// To the end of its line, which may be within a comment, and continued by a backslash.
DIRECTIVE : '#' ('\\' '\r'? '\n' | '/*' .*? '*/' | ~[\r\n])* -> channel(HIDDEN) ;
COMMENT   : '/*' .*? '*/' -> channel(HIDDEN) ;
REMARK    : '//' ('\\' '\r'? '\n' | ~[\r\n])* -> channel(HIDDEN) ;
BLANK     : ([ \t\r\n\f\u000B] | '\\' '\r'? '\n')+ -> skip ;
