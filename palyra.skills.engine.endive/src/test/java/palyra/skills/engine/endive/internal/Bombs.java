package palyra.skills.engine.endive.internal;

import java.io.ByteArrayOutputStream;

/** Modules that are valid and cost much to compile: functions in the binary format, by hand. */
final class Bombs {
    private static final byte[] HEAD = {0, 'a', 's', 'm', 1, 0, 0, 0};

    private Bombs() {}

    /** Blocks within blocks, in many functions. */
    static byte[] nested(int depth, int functions) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(0); // no locals
        for (int at = 0; at < depth; at++) {
            body.write(0x02); // block
            body.write(0x40);
        }
        for (int at = 0; at < depth; at++) {
            body.write(0x0b);
        }
        return module(end(body), functions);
    }

    /** One addition after the other. */
    static byte[] straight(int bytes, int functions) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(0);
        for (int at = 0; at < bytes; at += 3) {
            body.write(0x41); // i32.const 1, drop
            body.write(1);
            body.write(0x1a);
        }
        return module(end(body), functions);
    }

    private static byte[] end(ByteArrayOutputStream body) {
        body.write(0x41);
        body.write(7);
        body.write(0x0b);
        return body.toByteArray();
    }

    private static byte[] module(byte[] body, int functions) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HEAD);
        section(out, 1, new byte[] {1, 0x60, 0, 1, 0x7f});
        ByteArrayOutputStream types = new ByteArrayOutputStream();
        number(types, functions);
        types.writeBytes(new byte[functions]);
        section(out, 3, types.toByteArray());
        section(out, 7, new byte[] {1, 3, 'r', 'u', 'n', 0, 0});
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        number(code, functions);
        for (int at = 0; at < functions; at++) {
            number(code, body.length);
            code.writeBytes(body);
        }
        section(out, 10, code.toByteArray());
        return out.toByteArray();
    }

    private static void section(ByteArrayOutputStream out, int id, byte[] content) {
        out.write(id);
        number(out, content.length);
        out.writeBytes(content);
    }

    private static void number(ByteArrayOutputStream out, int value) {
        int rest = value;
        while (rest >= 0x80) {
            out.write(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
    }
}
