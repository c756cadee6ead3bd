(** Queues and shapes. *)

open Format

exception Empty
exception Bad_size of int * string

(** A queue of values. *)
type 'a t

type +'a wrapped = private { value : 'a; mutable seen : bool }

type color =
  | Red
  | Green of int
  | Mixed of { first : color; second : color }

type name = string
and names = name list

type shape = [ `Circle of float | `Square of float * float | `None ]

val empty : 'a t
(** The queue without values. *)

val push : 'a -> 'a t -> 'a t
val pop : 'a t -> ('a * 'a t) option
val length : 'a t -> int
val map : f:('a -> 'b) -> 'a t -> 'b t
val make : ?limit:int -> name:string -> unit -> 'a t
val ( ++ ) : 'a t -> 'a t -> 'a t
val print : (formatter -> 'a -> unit) -> formatter -> 'a t -> unit
  [@@ocaml.deprecated "use \"show\""]

external size : string -> int = "shape_size" "shape_size_byte"

(** What keys must know. *)
module type Key = sig
  type t

  val compare : t -> t -> int
  val default : t
end

module Int_key : Key with type t = int

module Table (K : Key) : sig
  type key = K.t
  type 'a table = (key * 'a) list

  exception Missing of key

  val find : key -> 'a table -> 'a
  val add : key -> 'a -> 'a table -> 'a table
end

module Deep : sig
  module Inner : sig
    val answer : int ref
  end

  include Key
end

class type drawable = object
  method draw : unit
  method move : int -> int -> unit
end

class point : int -> int -> object
  val mutable x : int
  method x : int
  method private hide : unit
  method virtual_size : 'a. 'a -> int
end
