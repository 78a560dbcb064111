package palyra.testing.wasm;

import java.util.Random;

/** Makes instructions on ranges of the memory and of the table. */
final class BulkGenerator {
    private final Random random;
    private final WasmCode code;
    private final ExpressionGenerator expressions;

    BulkGenerator(Random random, WasmCode code, ExpressionGenerator expressions) {
        this.random = random;
        this.code = code;
        this.expressions = expressions;
    }

    /** Makes one instruction with its operands. */
    void statement() {
        switch (random.nextInt(7)) {
            case 0, 1 -> {
                expressions.address();
                expressions.value('i', 1);
                length(255);
                code.prefixed(11, 0);
            }
            case 2, 3 -> {
                expressions.address();
                expressions.address();
                length(random.nextInt(20) == 0 ? -1 : 1023);
                code.prefixed(10, 0, 0);
            }
            case 4 -> {
                expressions.address();
                code.i32(random.nextInt(4));
                length(random.nextInt(10) == 0 ? 63 : 15);
                code.prefixed(8, 0, 0);
            }
            case 5 ->
                    code.i32(random.nextInt(3))
                            .i32(random.nextInt(4))
                            .i32(random.nextInt(4))
                            .prefixed(14, 0, 0);
            default -> code.i32(random.nextInt(6)).i32(0).i32(random.nextInt(3)).prefixed(12, 1, 0);
        }
    }

    private void length(int mask) {
        expressions.value('i', 1);
        code.i32(mask).op(0x71);
    }
}
