package palyra.testing.wasm;

import java.util.List;
import java.util.Random;

/** Makes the body of one function of a generated module: statements, then its results. */
final class FunctionGenerator {
    /** Locals beside parameters: two of each type, counters of loops, scratch for floats. */
    static final String LOCALS = "iiIIffFFiiifF";

    private final Random random;
    private final WasmBuilder module;
    private final List<String> functions;
    private final int[] members; // functions in the table
    private final int index;
    private final int statements;
    private final String parameters;
    private final WasmCode code = new WasmCode();
    private final ExpressionGenerator expressions;
    private final BulkGenerator bulk;
    private int blocks; // blocks without values that are open
    private int loops; // loops with a counter that are open

    FunctionGenerator(
            Random random,
            WasmBuilder module,
            List<String> functions,
            int[] members,
            int index,
            int statements) {
        this.random = random;
        this.module = module;
        this.functions = functions;
        this.members = members;
        this.index = index;
        this.statements = statements;
        this.parameters = functions.get(index).substring(0, functions.get(index).indexOf(':'));
        this.expressions =
                new ExpressionGenerator(random, code, parameters + LOCALS, parameters.length());
        this.bulk = new BulkGenerator(random, code, expressions);
    }

    WasmCode make() {
        for (int i = 0; i < statements + random.nextInt(4); i++) {
            statement(3);
        }
        int from = parameters.length() + 1;
        functions.get(index).substring(from).chars().forEach(type -> result((char) type));
        return code;
    }

    private void result(char type) {
        expressions.value(type, 3);
        if (type == 'i' || type == 'I') {
            expressions.mix(type);
        }
    }

    private void statement(int depth) {
        int choice = random.nextInt(depth > 0 ? 20 : 10);
        switch (choice) {
            case 0, 1, 2 -> assign();
            case 3 -> store();
            case 4, 5 -> global();
            case 6, 7 -> call();
            case 8 -> bulk.statement();
            case 9 -> rare();
            case 10, 11, 12 -> loop(depth);
            case 13, 14, 15 -> condition(depth);
            case 16 -> block(depth);
            case 17 -> table(depth);
            case 18 -> multi();
            default -> indirect();
        }
    }

    private void assign() {
        int local = random.nextInt(parameters.length() + 8);
        expressions.value((parameters + LOCALS).charAt(local), 3);
        code.set(local);
    }

    private void store() {
        int opcode = 0x36 + random.nextInt(9);
        char type =
                opcode == 0x36 || opcode == 0x3A || opcode == 0x3B
                        ? 'i'
                        : opcode == 0x38 ? 'f' : opcode == 0x39 ? 'F' : 'I';
        expressions.address();
        expressions.value(type, 2);
        expressions.settled(type);
        code.access(opcode, random.nextInt(64));
    }

    private void global() {
        int global = random.nextInt(3);
        expressions.value("iIF".charAt(global), 3);
        code.setGlobal(global);
    }

    /** Mostly an earlier function; now and then any, so that there is recursion. */
    private void call() {
        boolean any = index == 0 || random.nextInt(30) == 0;
        int callee = any ? random.nextInt(functions.size()) : random.nextInt(index);
        if (index == 0 && random.nextInt(8) != 0) {
            assign();
            return;
        }
        arguments(callee);
        code.call(callee);
        drop(callee);
    }

    private void arguments(int callee) {
        String signature = functions.get(callee);
        signature
                .substring(0, signature.indexOf(':'))
                .chars()
                .forEach(type -> expressions.value((char) type, 2));
    }

    private void drop(int callee) {
        String signature = functions.get(callee);
        for (int i = signature.indexOf(':') + 1; i < signature.length(); i++) {
            code.op(0x1A);
        }
    }

    /** Mostly by the right type; otherwise the entry may be null or another's, which traps. */
    private void indirect() {
        int entry = random.nextInt(members.length);
        boolean wrong = random.nextInt(25) == 0;
        int callee = wrong ? random.nextInt(functions.size()) : members[entry];
        if (!wrong && callee >= index) {
            call();
            return;
        }
        arguments(callee);
        code.i32(entry);
        if (wrong) {
            expressions.value('i', 1);
            code.op(0x6A);
        }
        code.callIndirect(module.type(functions.get(callee)));
        drop(callee);
    }

    private void rare() {
        switch (random.nextInt(10)) {
            case 0 -> code.i32(random.nextInt(3) == 0 ? 70_000 : 1).op(0x40, 0).setGlobal(0);
            case 1 -> code.op(0x3F, 0).setGlobal(0);
            case 2 -> code.prefixed(random.nextBoolean() ? 9 : 13, 0);
            case 3 -> {
                expressions.value('i', 2);
                code.i32(0x3FF).op(0x71, 0x45).iff().op(0x00).end();
            }
            case 4 -> {
                expressions.value('i', 2);
                code.i32(63).op(0x71, 0x45).iff();
                functions
                        .get(index)
                        .substring(parameters.length() + 1)
                        .chars()
                        .forEach(type -> expressions.value((char) type, 1));
                code.op(0x0F).end();
            }
            default -> code.op(0x01);
        }
    }

    private void loop(int depth) {
        if (loops == 3) {
            assign();
            return;
        }
        int counter = parameters.length() + 8 + loops;
        loops++;
        boolean endless = random.nextInt(40) == 0;
        code.i32(1 + random.nextInt(12)).set(counter).loop();
        int before = blocks;
        blocks = 0;
        statement(depth - 1);
        statement(depth - 1);
        if (endless) {
            code.br(0);
        } else {
            code.get(counter).i32(1).op(0x6B).tee(counter).brIf(0);
        }
        code.end();
        blocks = before;
        loops--;
    }

    private void condition(int depth) {
        expressions.value('i', 3);
        code.iff();
        blocks++;
        statement(depth - 1);
        if (random.nextBoolean()) {
            code.otherwise();
            statement(depth - 1);
            branch();
        }
        blocks--;
        code.end();
    }

    private void block(int depth) {
        code.block();
        blocks++;
        statement(depth - 1);
        expressions.value('i', 2);
        code.brIf(random.nextInt(blocks));
        statement(depth - 1);
        branch();
        blocks--;
        code.end();
    }

    /** Leaves a block, with code after it that is never reached. */
    private void branch() {
        if (random.nextInt(4) == 0) {
            code.br(random.nextInt(blocks));
            code.block().i32(3).op(0x1A).end();
        }
    }

    private void table(int depth) {
        code.block().block().block();
        blocks += 3;
        expressions.value('i', 2);
        code.i32(3).op(0x71).brTable(0, 2, random.nextInt(blocks), 1).end();
        blocks--;
        statement(depth - 1);
        code.end();
        blocks--;
        statement(depth - 1);
        code.end();
        blocks--;
    }

    /** A block that takes and leaves several values. */
    private void multi() {
        expressions.value('i', 2);
        expressions.value('I', 2);
        code.openType(random.nextBoolean() ? 0x02 : 0x03, module.type("iI:Ii"));
        code.set(parameters.length() + 2).set(parameters.length());
        expressions.value('I', 2);
        expressions.value('i', 2);
        code.end().setGlobal(0).setGlobal(1);
    }
}
