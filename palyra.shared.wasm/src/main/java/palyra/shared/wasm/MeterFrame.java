package palyra.shared.wasm;

/** A block that is open while a function is metered. */
final class MeterFrame {
    int opcode;

    /** Whether something goes to its end other than by running into it. */
    boolean joined;

    /** Unchecked units where its {@code if} was. */
    final int atIf;

    /** Most unchecked units of what goes to its end. */
    int atJoin;

    MeterFrame(int opcode, int atIf) {
        this.opcode = opcode;
        this.atIf = atIf;
    }

    void join(int units) {
        joined = true;
        atJoin = Math.max(atJoin, units);
    }
}
