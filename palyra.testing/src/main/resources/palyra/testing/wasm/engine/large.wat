;; A memory that can be large; declares more than a call gets in one test.
(module
  (import "palyra:meter" "grow" (func $grow (param i32)))
  (memory (export "memory") 8 64)
  (global $fuel (mut i64) (i64.const 0))
  (func (export "palyra:fuel") (result i64) (global.get $fuel))
  (func (export "palyra:refuel") (param i64) (global.set $fuel (local.get 0)))
  (func (export "palyra:stopped") (result i32) (i32.const 0))
  (func (export "grow") (result i32)
    (call $grow (i32.const 56)) (memory.grow (i32.const 56)))
  (func (export "endless") (loop $again (br $again))))
