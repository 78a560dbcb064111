package palyra.deploy.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.json.StrictJson;
import palyra.testing.journal.MemoryJournal;

/** A journal in memory that notes, with each event, the state of the bundles at that time. */
final class FakeJournal {
    /** An event and the state of the bundles when it was written. */
    record Event(String type, JsonNode payload, List<String> bundles) {}

    /** Returns the state of the bundles. */
    interface Look {
        List<String> now();
    }

    private final MemoryJournal service = new MemoryJournal();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final AtomicReference<Error> once = new AtomicReference<>(); // null when it works
    private final Look look;

    FakeJournal(Look look) {
        this.look = look;
        service.afterUnit(this::note);
        service.beforeRead(
                () -> {
                    Error thrown = once.getAndSet(null);
                    if (thrown != null) {
                        throw thrown;
                    }
                });
    }

    private void note(Unit unit, Committed committed) {
        for (Operation operation :
                committed.replayed() ? List.<Operation>of() : unit.operations()) {
            if (operation instanceof Operation.Append append) {
                JsonNode payload = StrictJson.parse(append.payload(), "event");
                events.add(new Event(append.type(), payload, look.now()));
            }
        }
    }

    Journal service() {
        return service;
    }

    /** While {@code on}, it can be read and takes no unit. */
    void takeNothing(boolean on) {
        if (on) {
            service.refuseUnits(ErrorCode.DISK_FULL);
        } else {
            service.acceptUnits();
        }
    }

    /** The next read throws this. */
    void throwOnce(Error error) {
        once.set(error);
    }

    List<Event> events() {
        return List.copyOf(events);
    }

    List<Event> events(String type) {
        return events.stream().filter(event -> event.type().equals(type)).toList();
    }
}
