;; What was a start function runs once, after the fuel is set.
(module
  (memory (export "memory") 0 0)
  (global $fuel (mut i64) (i64.const -1))
  (global $begun (mut i32) (i32.const 0))
  (func (export "palyra:fuel") (result i64) (global.get $fuel))
  (func (export "palyra:refuel") (param i64) (global.set $fuel (local.get 0)))
  (func (export "palyra:stopped") (result i32) (i32.const 0))
  (func (export "palyra:start")
    (global.set $fuel (i64.sub (global.get $fuel) (i64.const 10)))
    (global.set $begun (i32.add (global.get $begun) (i32.const 1))))
  (func (export "begun") (result i32) (global.get $begun)))
