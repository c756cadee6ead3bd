(* A small calculator with variables. *)
open Printf
module Names = Map.Make (String)

exception Unknown of string

type op = Add | Sub | Mul

type 'a tree =
  | Leaf
  | Node of { left : 'a tree; value : 'a; right : 'a tree }

type expr =
  | Num of int
  | Var of string
  | Bin of op * expr * expr
  | Let of string * expr * expr
[@@deriving show]

type counter = { mutable count : int; name : string option }

module type Stack = sig
  type 'a t
  val empty : 'a t
  val push : 'a -> 'a t -> 'a t
end

module List_stack : Stack = struct
  type 'a t = 'a list
  let empty = []
  let push x s = x :: s
end

let ( |+| ) a b = Bin (Add, a, b)

let apply = function
  | Add -> ( + )
  | Sub -> ( - )
  | Mul -> fun x y -> x * y

let rec eval env = function
  | Num n when n < 0 -> failwith "negative \"number\"\n"
  | Num n -> n
  | Var name -> (
      match Names.find_opt name env with
      | Some n -> n
      | None -> raise (Unknown name))
  | Bin (op, l, r) -> apply op (eval env l) (eval env r)
  | Let (name, value, body) ->
      let n = eval env value in
      eval (Names.add name n env) body

and eval_all ?(env = Names.empty) ~limit exprs =
  List.map (fun e -> min limit (eval env e)) exprs

let rec insert x = function
  | Leaf -> Node { left = Leaf; value = x; right = Leaf }
  | Node ({ left; value; _ } as node) as tree ->
      if x = value then tree
      else if x < value then Node { node with left = insert x left }
      else tree

class virtual shape (name : string) = object (self)
  val mutable size = 1.5e2
  method virtual area : float
  method grow by = size <- size +. by
  method show = sprintf "%s %f" name self#area
end

let () =
  let counter = { count = 0; name = None } in
  let numbers = [| 1; 2; 0x1f |] in
  for i = 0 to Array.length numbers - 1 do
    counter.count <- counter.count + numbers.(i)
  done;
  while counter.count > 10 do counter.count <- counter.count / 2 done;
  try
    eval_all ~limit:100 [ Num 1 |+| Var "x"; Num 2 ]
    |> List.iter (fun n -> printf "%d%c" n '\n')
  with
  | Unknown name -> prerr_endline ("unknown " ^ name)
  | Failure _ -> ignore (insert 1 Leaf)
