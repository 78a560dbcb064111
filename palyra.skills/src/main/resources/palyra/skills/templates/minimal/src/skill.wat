;; Copies the input (buffer 0) to the output, piece by piece.
;; Build: wat2wasm src/skill.wat -o modules/skill.wasm
(module
  (import "palyra" "buffer_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "palyra" "output_write" (func $write (param i32 i32) (result i32)))
  (memory (export "memory") 1 1)
  (func (export "palyra_call") (result i32)
    (local $at i32)
    (local $got i32)
    (loop $next
      (local.set $got
        (call $read (i32.const 0) (local.get $at) (i32.const 0) (i32.const 65536)))
      (if (i32.gt_s (local.get $got) (i32.const 0))
        (then
          (if (call $write (i32.const 0) (local.get $got))
            (then (return (i32.const 1))))
          (local.set $at (i32.add (local.get $at) (local.get $got)))
          (br $next))))
    (i32.const 0)))
