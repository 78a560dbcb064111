package palyra.shell.internal.host;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;

/** The long-lived loops of every bundle, as commands show them. Thread-safe. */
public final class Loops {
    private final Set<LoopSource> sources = ConcurrentHashMap.newKeySet();

    /** Takes a source in. */
    public void add(LoopSource source) {
        sources.add(source);
    }

    /** Lets go of a source. */
    public void remove(LoopSource source) {
        sources.remove(source);
    }

    /** Returns every loop, by name; a source that cannot be asked now is left out. */
    public List<LoopView> all() {
        List<LoopView> all = new ArrayList<>();
        sources.forEach(source -> all.addAll(ask(source)));
        all.sort(Comparator.comparing(LoopView::name).thenComparing(LoopView::owner));
        return all;
    }

    private static List<LoopView> ask(LoopSource source) {
        try {
            return List.copyOf(source.loops());
        } catch (RuntimeException
                | LinkageError e) { // its bundle may be in the middle of an update
            return List.of();
        }
    }

    /**
     * Returns how many loops there are, and each that is not running.
     *
     * @param json whether those that run are listed as well, each as an object
     */
    public Map<String, Object> fields(boolean json) {
        List<LoopView> all = all();
        Map<String, Object> fields = Fields.of("all", all.size());
        if (json) {
            fields.put("each", all.stream().map(Loops::object).toList());
            return fields;
        }
        Map<String, String> listed = new LinkedHashMap<>();
        all.stream()
                .filter(loop -> loop.state() != LoopView.State.RUNNING)
                .forEach(loop -> listed.put(loop.name(), words(loop)));
        fields.put("notRunning", listed.isEmpty() ? "none" : listed);
        return fields;
    }

    private static Map<String, Object> object(LoopView loop) {
        return Fields.of(
                "name", loop.name(),
                "owner", loop.owner(),
                "essential", loop.essential(),
                "state", loop.state().name(),
                "sinceMillis", loop.since().toEpochMilli(),
                "restarts", loop.restarts(),
                "lastFailure", loop.lastFailure());
    }

    private static String words(LoopView loop) {
        return loop.state()
                + " since "
                + loop.since()
                + ", "
                + loop.restarts()
                + (loop.restarts() == 1 ? " restart" : " restarts")
                + (loop.lastFailure().isEmpty() ? "" : ", last failure: " + loop.lastFailure());
    }

    /** Returns a finding of each loop that does not do its work. */
    public List<Finding> findings() {
        return all().stream().filter(LoopView::isFailing).map(Loops::finding).toList();
    }

    private static Finding finding(LoopView loop) {
        return new Finding(
                loop.essential() ? Finding.Severity.ERROR : Finding.Severity.WARNING,
                "loops",
                "The loop " + loop.name() + " of " + loop.owner() + " is " + words(loop) + ".",
                loop.state() == LoopView.State.STALLED
                        ? "If it stays so, take a thread dump (jcmd PID Thread.print) and restart the gateway."
                        : "It begins again by itself; the log has the failure with its trace.");
    }
}
