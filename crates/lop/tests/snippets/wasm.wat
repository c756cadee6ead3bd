;; A small queue in linear memory.
(module $queue
  (type $binary (func (param i32 i32) (result i32)))
  (import "env" "log" (func $log (param i32)))
  (import "env" "limit" (global $limit i32))
  (memory (export "memory") 1 4)
  (table $operations 2 funcref)
  (global $length (mut i32) (i32.const 0))
  (global $scale f64 (f64.const -1.5e3))
  (elem (i32.const 0) $add $larger)
  (data (i32.const 0x100) "it's \"text\"\n\00\ff")

  (func $add (type $binary)
    local.get 0
    local.get 1
    i32.add)

  (func $larger (param $a i32) (param $b i32) (result i32)
    (select
      (local.get $a)
      (local.get $b)
      (i32.gt_s (local.get $a) (local.get $b))))

  (; Puts a value at the end,
     and gives back if there was room. ;)
  (func $push (export "push") (param $value i32) (result i32)
    (if (i32.ge_u (global.get $length) (global.get $limit))
      (then
        (call $log (i32.const 1))
        (return (i32.const 0)))
      (else
        (i32.store offset=16 align=4
          (i32.mul (global.get $length) (i32.const 4))
          (local.get $value))))
    (global.set $length (i32.add (global.get $length) (i32.const 1)))
    (i32.const 1))

  (func $sum (export "sum") (result i32)
    (local $i i32)
    (local $total i32)
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $i) (global.get $length)))
        (local.set $total
          (call_indirect (type $binary)
            (local.get $total)
            (i32.load offset=16 (i32.shl (local.get $i) (i32.const 2)))
            (i32.const 0)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (local.get $total))

  (func $pick (param $kind i32) (result f64)
    (block $other
      (block $half
        (br_table $half $other (local.get $kind)))
      (return (f64.div (global.get $scale) (f64.const 2))))
    (f64.convert_i32_s (memory.grow (i32.const 1))))

  (func $start
    (drop (call $push (i32.const 7)))
    (drop (call $pick (i32.const -1)))
    nop)
  (start $start))
