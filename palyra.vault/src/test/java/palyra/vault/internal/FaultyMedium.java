package palyra.vault.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.vault.internal.store.Medium;

/** Counts reads, and dies or runs full at a chosen step. */
final class FaultyMedium extends Medium {
    /** The process is gone: nothing that comes after happens. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    final AtomicInteger reads = new AtomicInteger();
    private Runnable meanwhile = () -> {};
    private int steps;
    private int dieAt = Integer.MAX_VALUE;
    private boolean dead;
    private int fullAt = Integer.MAX_VALUE;

    /** The step with this number, from 0 as of now, and all after it never happen. */
    void dieAt(int step) {
        steps = 0;
        dead = false;
        dieAt = step;
    }

    /** The step with this number, from 0 as of now, finds no space; later ones work. */
    void fullAt(int step) {
        steps = 0;
        fullAt = step;
    }

    /** Is done at each step. */
    void meanwhile(Runnable work) {
        meanwhile = work;
    }

    int steps() {
        return steps;
    }

    private void step() throws IOException {
        int now = steps++;
        meanwhile.run();
        if (dead || now >= dieAt) {
            dead = true;
            throw new Killed();
        }
        if (now == fullAt) {
            throw new IOException("No space left on device");
        }
    }

    @Override
    public byte[] read(Path file, long most) throws IOException {
        reads.incrementAndGet();
        return super.read(file, most);
    }

    @Override
    public void writeNew(Path file, byte[] content) throws IOException {
        step();
        super.writeNew(file, content);
    }

    @Override
    public void append(Path file, long length, byte[] more) throws IOException {
        step();
        if (steps > dieAt - 1 && dieAt != Integer.MAX_VALUE) {
            // the last step before the end is torn: half of it is there
            super.append(file, length, java.util.Arrays.copyOf(more, more.length / 2));
            dead = true;
            throw new Killed();
        }
        super.append(file, length, more);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        step();
        super.rename(from, to);
    }

    @Override
    public void sync(Path folder) throws IOException {
        step();
        super.sync(folder);
    }

    @Override
    public void delete(Path path) throws IOException {
        step();
        super.delete(path);
    }
}
