;; A memory that can be large; declares more than a call gets in one test.
(module
  (memory (export "memory") 8 64)
  (func (export "palyra:fuel") (result i64) (i64.const 0))
  (func (export "palyra:refuel") (param i64))
  (func (export "palyra:stopped") (result i32) (i32.const 0))
  (func (export "grow") (result i32) (memory.grow (i32.const 56)))
  (func (export "endless") (loop $again (br $again))))
