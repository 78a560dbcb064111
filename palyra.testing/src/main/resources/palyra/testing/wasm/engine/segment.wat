;; Traps while an instance is made: its data does not fit.
(module
  (memory (export "memory") 1 1)
  (data (i32.const 65530) "too long for it")
  (func (export "palyra:fuel") (result i64) (i64.const 0))
  (func (export "palyra:refuel") (param i64))
  (func (export "palyra:stopped") (result i32) (i32.const 0))
  (func (export "run") (result i32) (i32.const 1)))
