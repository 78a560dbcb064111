package palyra.skills.engine.wasmtime.internal.worker;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Types of a module's exported functions, which the binding does not expose. Reads the sections of
 * types, imports, functions and exports (WebAssembly Core Specification 1.0, section 5.5) of a
 * module that wasmtime has validated.
 */
final class ExportTypes {
    private static final int HEADER = 8;
    private static final int TYPES = 1;
    private static final int IMPORTS = 2;
    private static final int FUNCTIONS = 3;
    private static final int EXPORTS = 7;

    private final ByteBuffer in;
    private final List<String> types = new ArrayList<>();
    private final List<String> functions = new ArrayList<>();
    private final Map<String, String> exports = new HashMap<>();

    private ExportTypes(byte[] module) {
        this.in = ByteBuffer.wrap(module);
    }

    /**
     * Reads a module.
     *
     * @return by name, the codes of parameters and results in hexadecimal, {@code >} between them
     */
    static Map<String, String> of(byte[] module) {
        try {
            ExportTypes read = new ExportTypes(module);
            read.sections();
            return Map.copyOf(read.exports);
        } catch (BufferUnderflowException
                | IllegalArgumentException
                | IndexOutOfBoundsException e) {
            throw new LinkException("its exports cannot be read: " + e);
        }
    }

    private void sections() {
        in.position(HEADER);
        while (in.hasRemaining()) {
            int id = in.get();
            int size = number();
            int end = in.position() + size;
            switch (id) {
                case TYPES -> types();
                case IMPORTS -> imports();
                case FUNCTIONS -> {
                    for (int left = number(); left > 0; left--) {
                        functions.add(types.get(number()));
                    }
                }
                case EXPORTS -> exports();
                default -> {}
            }
            in.position(end);
        }
    }

    private void types() {
        for (int left = number(); left > 0; left--) {
            in.get(); // 0x60, a function
            types.add(codes() + ">" + codes());
        }
    }

    private String codes() {
        StringBuilder codes = new StringBuilder();
        for (int left = number(); left > 0; left--) {
            codes.append(Integer.toHexString(in.get() & 0xff));
        }
        return codes.toString();
    }

    private void imports() {
        for (int left = number(); left > 0; left--) {
            name();
            name();
            switch (in.get()) {
                case 0 -> functions.add(types.get(number()));
                case 1 -> {
                    in.get();
                    limits();
                }
                case 2 -> limits();
                default -> in.getShort();
            }
        }
    }

    private void limits() {
        boolean most = in.get() == 1;
        number();
        if (most) {
            number();
        }
    }

    private void exports() {
        for (int left = number(); left > 0; left--) {
            String name = name();
            boolean function = in.get() == 0;
            int index = number();
            if (function) {
                exports.put(name, functions.get(index));
            }
        }
    }

    private String name() {
        byte[] name = new byte[number()];
        in.get(name);
        return new String(name, StandardCharsets.UTF_8);
    }

    /** Reads an unsigned LEB128 number. */
    private int number() {
        int value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
