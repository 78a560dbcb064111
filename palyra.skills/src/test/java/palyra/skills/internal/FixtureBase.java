package palyra.skills.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.store.SkillRecord;
import palyra.skills.internal.store.SkillState;
import palyra.testing.wait.Await;

/** A house that is opened before each test, and what tests ask of it. */
abstract class FixtureBase {
    @TempDir Path state;
    SkillFixture fixture;
    final List<List<SkillId>> told = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() {
        fixture = new SkillFixture(state);
        fixture.loader().watch(told::add);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    static String reason(Runnable action) {
        return assertThrows(RefusedException.class, action::run).reason();
    }

    final String denied(SkillId id) {
        PalyraException e = assertThrows(PalyraException.class, () -> fixture.loader().load(id));
        assertEquals(ErrorCode.DENIED, e.code(), e.getMessage());
        return e.getMessage();
    }

    final void awaitListeners(List<SkillId> expected) {
        Await.until(
                "the watchers to hear of " + expected,
                java.time.Duration.ofSeconds(30),
                () -> !told.isEmpty() && told.get(told.size() - 1).equals(expected));
    }

    final void quarantined(SkillId id, String reason) {
        SkillRecord record = fixture.inventory().get(id);
        assertEquals(SkillState.QUARANTINED, record.standing().state());
        assertEquals(reason, record.standing().reason());
        assertEquals(
                reason,
                fixture.journal.events("skill_state").stream()
                        .reduce((first, second) -> second)
                        .orElseThrow()
                        .path("reason")
                        .asText());
        awaitListeners(List.of());
    }
}
