// Rules for Tiny.g4, which imports this one.
grammar Words;

name : WORD ;
unused : name '!' ;

WORD    : [a-z]+ ;
BLANK   : [ \t\r\n]+ -> skip ;
