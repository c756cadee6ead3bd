; Shelves, items and some sums.
(set-info :status sat)
(set-info :source |written
by hand|)
(set-option :produce-models true)
(set-option :random-seed 42)
(set-logic ALL)

(declare-sort Item 0)
(define-sort Word () (_ BitVec 8))
(declare-datatypes ((List 1))
  ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-datatype Color ((red) (green) (mixed (first Int) (second Int))))

(declare-const x Int)
(declare-const y Int)
(declare-const ratio Real)
(declare-const word Word)
(declare-const text String)
(declare-const table (Array Int Int))
(declare-const |odd name| Bool)
(declare-fun price (Item) Int)
(declare-fun larger (Int Int) Bool)

(define-fun max2 ((a Int) (b Int)) Int
  (ite (> a b) a b))

(define-fun-rec sum ((list (List Int))) Int
  (match list
    ((nil 0)
     ((cons h t) (+ h (sum t))))))

; Simple bounds.
(assert (and (<= 0 x 10) (< y 20) (distinct x y)))
(assert (=> |odd name| (= (mod x 2) 1)))
(assert (! (>= (+ x (* 2 y) (- 3)) 7) :named bound))
(assert (or (not |odd name|) (= ratio (/ 1.5 2.0))))

(assert (forall ((i Item) (j Item))
  (! (=> (larger (price i) (price j))
         (exists ((k Int)) (= (price i) (+ k (price j)))))
     :pattern ((price i) (price j)))))

(assert (let ((a (bvadd word #x0f))
              (b ((_ extract 7 4) word)))
  (and (bvult a #b10101010)
       (= b (concat #b11 ((_ extract 1 0) a))))))

(push 1)
(assert (= (select (store table x 5) y) (max2 x y)))
(assert (= text (str.++ "say ""hi"" " (str.substr text 0 3))))
(assert (= (sum (cons 1 (cons 2 (as nil (List Int))))) 3))
(assert (xor (> x 3) ((_ is red) (mixed x y))))
(check-sat)
(get-value (x y (max2 x y)))
(pop 1)

(check-sat-assuming (|odd name| (not (= x 0))))
(get-model)
(echo "done")
(exit)
