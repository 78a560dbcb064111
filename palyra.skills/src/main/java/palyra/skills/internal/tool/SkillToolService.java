package palyra.skills.internal.tool;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.ToolDescriptor;
import palyra.skills.internal.manifest.SemanticVersion;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.model.SkillId;

/**
 * A tool of a skill, for agents. The skill is loaded, which checks all of it, for each examination
 * and for each call. A new version that offers the same tool in the same words takes its place
 * within this object: calls that were decided on the version before still run that one for a
 * moment. Thread-safe.
 */
final class SkillToolService implements ConfinedTool {
    private static final long SUPERSEDED_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final ActiveSkills skills;
    private final SkillCallService calls;
    private final ToolDescriptor descriptor;
    private final AtomicInteger running = new AtomicInteger();

    private final ReentrantLock lock = new ReentrantLock();
    private LoadedTool current; // guarded by lock
    private LoadedTool
            before; // guarded by lock; null unless a later version took its place just now
    private long beforeUntilNanos; // guarded by lock

    SkillToolService(ActiveSkills skills, SkillCallService calls, LoadedTool first) {
        this.skills = skills;
        this.calls = calls;
        this.descriptor = first.descriptor();
        this.current = first;
    }

    /** Replaces a tool with another description; calls of that one may come here. */
    SkillToolService after(SkillToolService earlier) {
        LoadedTool replaced = earlier.now();
        lock.lock();
        try {
            supersede(replaced, current);
        } finally {
            lock.unlock();
        }
        return this;
    }

    @Override
    public ToolDescriptor descriptor() {
        return descriptor;
    }

    /** Returns the skill that it belongs to now. */
    SkillId skill() {
        return now().skill().id();
    }

    private LoadedTool now() {
        lock.lock();
        try {
            return current;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether any call of it is under way. */
    boolean busy() {
        return running.get() > 0;
    }

    /** Switches to another version of the same tool; false when its description differs. */
    boolean replace(LoadedTool other) {
        if (!other.descriptor().equals(descriptor)) {
            return false;
        }
        lock.lock();
        try {
            if (!other.skill().id().equals(current.skill().id())) {
                supersede(current, other);
            }
            current = other;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Called with the lock; what was rolled back is not to run any more. */
    private void supersede(LoadedTool earlier, LoadedTool by) {
        boolean update = version(by).compareTo(version(earlier)) > 0;
        before = update ? earlier : null;
        beforeUntilNanos = System.nanoTime() + SUPERSEDED_NANOS;
    }

    private static SemanticVersion version(LoadedTool offer) {
        return SemanticVersion.of(offer.skill().id().version());
    }

    /** Returns the version before that has these facts; null when none of late has. */
    private LoadedTool superseded(String factsSha256) {
        lock.lock();
        try {
            if (before != null && System.nanoTime() - beforeUntilNanos > 0) {
                before = null;
            }
            return before != null && before.factsSha256().equals(factsSha256) ? before : null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ToolExamination examine(ToolProposed proposed) {
        LoadedTool offer;
        try {
            offer = loaded();
        } catch (PalyraException e) {
            if (e.code().kind() == ErrorCode.Kind.UNAVAILABLE) {
                throw new PalyraException(ErrorCode.TOOL_UNAVAILABLE, e.getMessage(), e);
            }
            return ToolExamination.refused("skill.not_usable", e.getMessage());
        }
        try {
            offer.requireFit(proposed.inputJson());
        } catch (PalyraException e) {
            return ToolExamination.refused("skill.invalid_input", e.getMessage());
        }
        return ToolExamination.facts(offer.facts(), offer.description());
    }

    /** Loads the skill again: an examination and a call use a version that was just checked. */
    private LoadedTool loaded() {
        LoadedTool offer = now();
        try {
            return offer.of(skills.load(offer.skill().id()));
        } catch (PalyraException e) {
            return updated(offer, e);
        }
    }

    /** An update is known here a moment later than in the store. */
    private LoadedTool updated(LoadedTool offer, PalyraException refusal) {
        SkillId present = offer.skill().id();
        Optional<SkillId> other =
                skills.active().stream()
                        .filter(id -> id.skill().equals(present.skill()) && !id.equals(present))
                        .findFirst();
        if (other.isEmpty()) {
            throw refusal;
        }
        LoadedTool later = offer.of(skills.load(other.get()));
        if (!replace(later)) {
            requireSameRights(later, refusal);
            lend(offer, later);
        }
        return later;
    }

    /** Policy may have been told of this tool: one that may do other things is not run as it. */
    private void requireSameRights(LoadedTool later, PalyraException refusal) {
        ToolDescriptor other = later.descriptor();
        if (!other.capabilities().equals(descriptor.capabilities())
                || other.readOnly() != descriptor.readOnly()
                || other.idempotent() != descriptor.idempotent()) {
            throw refusal;
        }
    }

    /** Runs a version that is described differently until that one is offered by itself. */
    private void lend(LoadedTool offer, LoadedTool later) {
        lock.lock();
        try {
            if (before == null || !before.skill().id().equals(offer.skill().id())) {
                supersede(offer, later);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ConfinedResult run(ToolOrder order) throws InterruptedException {
        running.incrementAndGet();
        try {
            return calls.run(decidedOn(order.factsSha256()), order);
        } catch (PalyraException e) {
            return SkillCallService.refused(now().moduleSha256(), e.getMessage());
        } finally {
            running.decrementAndGet();
        }
    }

    /** No: the module may have been what ended the process, and would end it again. */
    @Override
    public boolean mayRepeat(String callId, int attempt) {
        return false;
    }

    private LoadedTool decidedOn(String factsSha256) {
        LoadedTool offer = loaded();
        if (factsSha256.isEmpty() || offer.factsSha256().equals(factsSha256)) {
            return offer;
        }
        LoadedTool earlier = superseded(factsSha256);
        if (earlier == null) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The skill of the tool "
                            + descriptor.name()
                            + " is another version than the one that the call was decided on: it was updated since."
                            + " Propose the call again.");
        }
        return earlier;
    }
}
