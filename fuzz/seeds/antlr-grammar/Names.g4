// Classes of Unicode characters.
grammar Names;

list : entry (',' entry)* EOF ;
entry : name=ID ('=' (NUMBER | GREEK | EMOJI))? ;

GREEK  : '\u{3b1}'..'\u{3c9}'+ ;
EMOJI  : [\u{1F600}-\u{1F64F}] ;
ID     : [\p{L}_] [\p{L}\p{N}_]* ;
NUMBER : [\p{Nd}]+ ;
BLANK  : [\p{White_Space}]+ -> skip ;
OTHER  : . ;
