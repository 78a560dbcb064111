package palyra.sandbox.tierc.macos.internal;

import java.util.List;
import java.util.Optional;
import palyra.sandbox.tierc.macos.internal.watch.ProcessTable;

/** Sees nothing, for a host whose processes cannot be read; the probe refuses there. */
final class NoProcessTable implements ProcessTable {
    @Override
    public Optional<Use> use(int pid) {
        return Optional.empty();
    }

    @Override
    public List<Integer> group(int groupId) {
        return List.of();
    }

    @Override
    public List<Integer> children(int pid) {
        return List.of();
    }

    @Override
    public int count(long uid) {
        return 0;
    }

    @Override
    public void kill(int pid) {
        // it knows of no process
    }
}
