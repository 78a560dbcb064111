package palyra.testing.wasm;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes valid modules that compute something, trap, or run out of fuel: every class of
 * instructions, calls, recursion, loops, tables, memory, bulk operations. The same seed gives the
 * same bytes everywhere. They export {@code run}, which returns an i32 for even seeds and an i64
 * for odd ones, import nothing, and never let the bits of a NaN be seen.
 */
public final class ModuleGenerator {
    private static final String[] SIGNATURES = {
        ":i", "i:i", "I:I", "f:f", "F:F", "iI:i", "iiI:I", "fF:F", "i:", "iIfF:i", ":iI", "iF:iIF"
    };

    private final Random random;
    private final WasmBuilder module = new WasmBuilder();
    private final List<String> functions = new ArrayList<>();
    private final boolean wide;
    private final int[] members = new int[6];

    private ModuleGenerator(long seed) {
        random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
        wide = seed % 2 != 0;
    }

    /** Returns the module of a seed. */
    public static byte[] module(long seed) {
        return new ModuleGenerator(seed).make();
    }

    private byte[] make() {
        int count = 2 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            functions.add(SIGNATURES[random.nextInt(SIGNATURES.length)]);
        }
        functions.add(wide ? ":I" : ":i");
        functions.forEach(module::type);
        module.memory(1 + random.nextInt(2), random.nextBoolean() ? -1 : 4);
        module.table(8, random.nextBoolean() ? -1 : 16);
        globals();
        for (int i = 0; i < members.length; i++) {
            members[i] = random.nextInt(functions.size());
        }
        for (int i = 0; i < functions.size(); i++) {
            function(i);
        }
        segments();
        module.export("run", 0, functions.size() - 1);
        module.export("memory", 2, 0);
        return module.build();
    }

    private void globals() {
        module.global('i', true, new WasmCode().i32(random.nextInt()));
        module.global('I', true, new WasmCode().i64(random.nextLong()));
        module.global('F', true, new WasmCode().f64(random.nextInt(1000) / 8.0));
        module.global('i', false, new WasmCode().i32(random.nextInt(100)));
    }

    private void function(int index) {
        boolean last = index == functions.size() - 1;
        FunctionGenerator generator =
                new FunctionGenerator(random, module, functions, members, index, last ? 5 : 3);
        module.function(functions.get(index), FunctionGenerator.LOCALS, generator.make());
    }

    private void segments() {
        module.elements(0, members);
        module.passiveElements(0, functions.size() - 1, 1);
        module.passiveData("passive data of a generated module");
        module.data(16, "Palyra " + random.nextInt());
        if (random.nextInt(8) == 0) {
            module.start(startFunction());
        }
        module.custom("note", new byte[] {1, 2, 3});
    }

    private int startFunction() {
        WasmCode code = new WasmCode().getGlobal(0).i32(7).op(0x6A).setGlobal(0);
        return module.function(":", "", code);
    }
}
