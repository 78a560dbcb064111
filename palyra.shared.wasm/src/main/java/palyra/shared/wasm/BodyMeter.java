package palyra.shared.wasm;

import java.util.ArrayList;
import java.util.List;
import palyra.shared.wasm.BinaryModule.Body;
import palyra.shared.wasm.MeterFunctions.Added;

/**
 * Rewrites one function so that it charges fuel and counts its frame. Code is cut into stretches
 * that run from their first instruction to their last or trap; each is charged before it runs. What
 * cannot be reached is left out. Not thread-safe; used for one function after another.
 */
final class BodyMeter {
    private final BinaryModule module;
    private final MeterLayout layout;
    private final List<MeterFrame> frames = new ArrayList<>();
    private final ByteWriter stretch = new ByteWriter(1 << 10);
    private ByteWriter out;
    private ByteReader in;
    private Charges charges;
    private int narrowLocal;
    private int wideLocal;
    private Place place;
    private int cost;
    private int unchecked;
    private boolean live;

    BodyMeter(BinaryModule module, MeterLayout layout) {
        this.module = module;
        this.layout = layout;
    }

    /** Start of a stretch. */
    private enum Place {
        ENTRY,
        LOOP,
        PLAIN
    }

    /** Writes the rewritten body, with its size before it. */
    void write(Signature type, Body body, BodyFacts facts, boolean exported, ByteWriter to) {
        out = new ByteWriter((body.end() - body.start()) * 3 / 2 + 64);
        int locals = facts.locals();
        boolean cached = facts.loops() || facts.stretches() > 2 * facts.calls() + 2;
        charges = new Charges(layout, cached, locals, locals + 1);
        locals(body, facts);
        int weight = MeterCosts.depth(facts.slots() + 3);
        if (facts.deeper()) {
            charges.enter(out, weight);
        } else if (weight > MeterCosts.FREE_LEAF) {
            charges.leaf(out, weight);
        }
        begin(type, locals);
        code(facts);
        charges.save(out);
        if (facts.deeper()) {
            charges.leave(out, weight);
        }
        if (exported) {
            charges.exported(out);
        }
        to.sized(out.u8(Op.END));
    }

    private void locals(Body body, BodyFacts facts) {
        ByteReader groups = new ByteReader(module.bytes, body.start(), facts.codeStart());
        int count = groups.u32();
        int added = 1 + (facts.deeper() ? 1 : 0);
        narrowLocal = facts.locals() + added;
        added += facts.narrowNans() ? 1 : 0;
        wideLocal = facts.locals() + added;
        added += facts.wideNans() ? 1 : 0;
        out.u32(count + added);
        out.raw(module.bytes, groups.at(), facts.codeStart());
        out.u32(1).u8(Numeric.I64);
        local(facts.deeper(), Numeric.I32);
        local(facts.narrowNans(), Numeric.F32);
        local(facts.wideNans(), Numeric.F64);
    }

    private void local(boolean needed, byte type) {
        if (needed) {
            out.u32(1).u8(type);
        }
    }

    /** The body becomes a block, so that every way out of it leads past the end. */
    private void begin(Signature type, int locals) {
        stretch.clear();
        stretch.u8(Op.BLOCK);
        byte[] results = type.results();
        switch (results.length) {
            case 0 -> stretch.u8(Op.EMPTY_BLOCK);
            case 1 -> stretch.u8(results[0]);
            default -> stretch.s64(layout.type(new Signature(new byte[0], results)));
        }
        frames.clear();
        frames.add(new MeterFrame(Op.BLOCK, 0));
        place = Place.ENTRY;
        cost = MeterCosts.entry(locals);
        unchecked = 0;
        live = true;
    }

    private void code(BodyFacts facts) {
        in = new ByteReader(module.bytes, facts.codeStart(), module.bytes.length);
        while (!frames.isEmpty()) {
            if (!live) {
                Immediates.skipBlock(in);
            }
            int start = in.at();
            int opcode = in.u8();
            if (opcode != Op.PREFIX) {
                Immediates.skip(in, opcode);
            }
            instruction(opcode, start);
        }
    }

    private void instruction(int opcode, int start) {
        switch (opcode) {
            case Op.BLOCK, Op.LOOP, Op.IF -> open(opcode, start);
            case Op.ELSE -> turn();
            case Op.END -> end();
            case Op.BR, Op.BR_IF, Op.BR_TABLE -> branch(opcode, start);
            case Op.RETURN -> leave();
            case Op.CALL, Op.CALL_INDIRECT -> call(opcode, start);
            case Op.PREFIX -> prefixed(start);
            default -> {
                if (opcode == Op.MEMORY_GROW) {
                    charges.length(stretch, Added.GROW);
                }
                copy(opcode, start);
                if (opcode == Op.UNREACHABLE) {
                    dead();
                } else if (Numeric.nanIsOpen(opcode)) {
                    canonical(Numeric.result(opcode));
                }
            }
        }
    }

    /** Adds the instruction that was read to the stretch. */
    private void copy(int opcode, int start) {
        cost += MeterCosts.of(opcode);
        stretch.raw(module.bytes, start, in.at());
    }

    /** Makes the value on the stack the canonical NaN when it is one. Costs nothing. */
    private void canonical(byte type) {
        boolean narrow = type == Numeric.F32;
        int local = narrow ? narrowLocal : wideLocal;
        stretch.u8(Op.LOCAL_TEE).u32(local);
        if (narrow) {
            stretch.u8(Op.F32_CONST, 0, 0, 0xC0, 0x7F);
        } else {
            stretch.u8(Op.F64_CONST, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F);
        }
        stretch.u8(Op.LOCAL_GET).u32(local).u8(Op.LOCAL_GET).u32(local);
        stretch.u8(narrow ? Op.F32_EQ : Op.F64_EQ, Op.SELECT);
    }

    private void open(int opcode, int start) {
        if (opcode == Op.LOOP) {
            flush();
            out.raw(module.bytes, start, in.at());
            cost = MeterCosts.of(opcode);
            place = Place.LOOP;
        } else {
            copy(opcode, start);
            if (opcode == Op.IF) {
                flush();
            }
        }
        frames.add(new MeterFrame(opcode, unchecked));
    }

    private void turn() {
        MeterFrame frame = frames.getLast();
        if (live) {
            flush();
            frame.join(unchecked);
        }
        out.u8(Op.ELSE);
        frame.opcode = Op.ELSE;
        frame.joined = true;
        unchecked = frame.atIf;
        live = true;
    }

    /** Only where ways meet, or nothing comes from before, does a new stretch begin. */
    private void end() {
        MeterFrame frame = frames.removeLast();
        boolean meet = frame.opcode == Op.IF || frame.joined || frames.isEmpty();
        if (live && !meet) {
            stretch.u8(Op.END);
            return;
        }
        if (live) {
            flush();
            frame.join(unchecked);
        }
        if (frame.opcode == Op.IF) {
            frame.join(frame.atIf);
        }
        out.u8(Op.END);
        unchecked = frame.atJoin;
        live = true;
    }

    private void branch(int opcode, int start) {
        copy(opcode, start);
        flush();
        ByteReader labels = new ByteReader(module.bytes, start + 1, in.at());
        for (int left = opcode == Op.BR_TABLE ? labels.u32() : 0; left >= 0; left--) {
            join(labels.u32());
        }
        live = opcode == Op.BR_IF;
    }

    private void join(int label) {
        MeterFrame target = frames.get(frames.size() - 1 - label);
        if (target.opcode != Op.LOOP) {
            target.join(unchecked);
        }
    }

    /** A return becomes a branch to the end of the block that the body became. */
    private void leave() {
        cost += MeterCosts.of(Op.RETURN);
        stretch.u8(Op.BR).u32(frames.size() - 1);
        flush();
        frames.getFirst().join(unchecked);
        live = false;
    }

    private void dead() {
        flush();
        live = false;
    }

    private void call(int opcode, int start) {
        charges.save(stretch);
        if (opcode == Op.CALL) {
            cost += MeterCosts.of(opcode);
            int callee = new ByteReader(module.bytes, start + 1, in.at()).u32();
            stretch.u8(opcode).u32(layout.moved(callee));
        } else {
            copy(opcode, start);
        }
        charges.restore(stretch);
    }

    private void prefixed(int start) {
        int number = Immediates.prefixed(in);
        switch (number) {
            case Op.MEMORY_INIT, Op.MEMORY_COPY, Op.MEMORY_FILL ->
                    charges.length(stretch, Added.BULK_MEMORY);
            case Op.TABLE_INIT, Op.TABLE_COPY -> charges.length(stretch, Added.BULK_TABLE);
            default -> {}
        }
        cost += MeterCosts.prefixed(number);
        stretch.raw(module.bytes, start, in.at());
    }

    /** Writes the charge for the stretch, then the stretch. */
    private void flush() {
        boolean look = place != Place.PLAIN || unchecked + cost > MeterCosts.UNCHECKED;
        switch (place) {
            case ENTRY -> charges.entry(out, cost);
            case LOOP -> charges.loop(out, cost);
            case PLAIN -> {
                if (cost > 0) {
                    charges.plain(out, cost, look);
                }
            }
        }
        unchecked = look ? 0 : unchecked + cost;
        out.all(stretch);
        stretch.clear();
        place = Place.PLAIN;
        cost = 0;
    }
}
