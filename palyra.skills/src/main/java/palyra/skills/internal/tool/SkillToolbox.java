package palyra.skills.internal.tool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopView;
import palyra.api.tool.Tool;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.model.SkillTool;

/**
 * Keeps the tools that are on offer in step with the skills that are active. A name belongs to the
 * skill that had it first; another one that wants it is refused it, which shows as a finding. A
 * version that describes a tool differently is offered before the one that it replaces goes, and
 * that one goes when its calls have ended. Thread-safe.
 */
final class SkillToolbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SkillToolbox.class);
    private static final long LOOK_MILLIS = 100;

    private final ActiveSkills skills;
    private final SkillCallService calls;
    private final BiFunction<Tool, Integer, Runnable> registrar;
    private final SupervisedTimer retiring =
            new SupervisedTimer(LoopSpec.of("palyra-skills-retire", "palyra.skills"));

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, RegisteredTool> tools = new TreeMap<>(); // guarded by lock; by name
    private final Set<RegisteredTool> leaving = new HashSet<>(); // guarded by lock
    private final Map<String, String> problems = new TreeMap<>(); // guarded by lock
    private int ranking; // guarded by lock
    private boolean closed; // guarded by lock
    private volatile List<Finding> findings = List.of();
    private volatile int size;

    /**
     * Creates an empty one.
     *
     * @param registrar registers a tool with a service ranking; what it returns unregisters it
     */
    SkillToolbox(
            ActiveSkills skills,
            SkillCallService calls,
            BiFunction<Tool, Integer, Runnable> registrar) {
        this.skills = skills;
        this.calls = calls;
        this.registrar = registrar;
    }

    /** Offers the tools of exactly the skills that are active when this has its turn. */
    void use(Supplier<List<SkillId>> active) {
        List<RegisteredTool> gone = new ArrayList<>();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            problems.clear();
            Map<String, LoadedTool> wanted = wanted(active.get());
            for (String name : List.copyOf(tools.keySet())) {
                if (!wanted.containsKey(name)) {
                    gone.add(tools.remove(name));
                }
            }
            wanted.forEach(this::offer);
            size = tools.size();
            findings = problems.values().stream().map(SkillToolbox::finding).toList();
        } finally {
            lock.unlock();
        }
        gone.forEach(each -> each.unregister().run()); // its calls are interrupted: not under lock
    }

    private Map<String, LoadedTool> wanted(List<SkillId> active) {
        Map<String, LoadedTool> wanted = new HashMap<>();
        for (SkillId id : active) {
            try {
                LoadedSkill skill = skills.load(id);
                for (SkillTool tool : skill.tools()) {
                    want(skill, tool, wanted);
                }
            } catch (PalyraException e) {
                LOG.warn("The skill {} is not offered: {}", id, e.getMessage());
                problems.put(id.toString(), e.getMessage());
            }
        }
        return wanted;
    }

    private void want(LoadedSkill skill, SkillTool tool, Map<String, LoadedTool> wanted) {
        String name = tool.id();
        LoadedTool other = wanted.get(name);
        RegisteredTool present = tools.get(name);
        boolean owner = present != null && isOf(present, skill.id());
        if (other != null && (!owner || other.skill().id().skill().equals(skill.id().skill()))) {
            problems.put(skill.id() + " " + name, taken(name, skill.id(), other.skill().id()));
            return;
        }
        if (other != null) {
            problems.put(
                    other.skill().id() + " " + name, taken(name, other.skill().id(), skill.id()));
        }
        try {
            wanted.put(name, offered(skill, tool));
        } catch (PalyraException e) {
            problems.put(skill.id() + " " + name, e.getMessage());
        }
    }

    private static LoadedTool offered(LoadedSkill skill, SkillTool tool) {
        LoadedTool offer = LoadedTool.of(skill, tool.id());
        offer.descriptor(); // refuses a name that no tool can have
        return offer;
    }

    private static boolean isOf(RegisteredTool registered, SkillId id) {
        return registered.tool().skill().skill().equals(id.skill());
    }

    private static String taken(String name, SkillId loser, SkillId owner) {
        return "The tool "
                + name
                + " of the skill "
                + loser
                + " is not offered: "
                + owner
                + " has a tool of that name.";
    }

    private void offer(String name, LoadedTool offer) {
        RegisteredTool present = tools.get(name);
        boolean sameSkill = present != null && isOf(present, offer.skill().id());
        if (sameSkill && present.tool().replace(offer)) {
            return;
        }
        SkillToolService tool = new SkillToolService(skills, calls, offer);
        if (sameSkill) {
            tool.after(present.tool());
        }
        tools.put(name, new RegisteredTool(tool, registrar.apply(tool, ++ranking)));
        if (present != null) {
            leaving.add(present);
            long end =
                    System.nanoTime()
                            + TimeUnit.MILLISECONDS.toNanos(
                                    present.tool().descriptor().timeoutMillis());
            retire(present, end);
        }
    }

    private void retire(RegisteredTool old, long endNanos) {
        retiring.after(
                LOOK_MILLIS,
                TimeUnit.MILLISECONDS,
                () -> {
                    if (old.tool().busy() && System.nanoTime() - endNanos < 0) {
                        retire(old, endNanos);
                    } else if (takeLeaving(old)) {
                        old.unregister().run();
                    }
                });
    }

    private boolean takeLeaving(RegisteredTool old) {
        lock.lock();
        try {
            return leaving.remove(old);
        } finally {
            lock.unlock();
        }
    }

    private static Finding finding(String problem) {
        return new Finding(
                Finding.Severity.WARNING,
                "skills",
                problem,
                "Look at it with skills check, or disable the skill.");
    }

    /** Returns how the thread is. */
    LoopView loop() {
        return retiring.view();
    }

    /** Returns how many tools are on offer. */
    int size() {
        return size;
    }

    /** Returns what an operator should know. */
    List<Finding> findings() {
        return findings;
    }

    /** Unregisters all tools. */
    @Override
    public void close() {
        List<RegisteredTool> all = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            all.addAll(tools.values());
            all.addAll(leaving);
            tools.clear();
            leaving.clear();
        } finally {
            lock.unlock();
        }
        RegisteredTool.takeBack(all);
        retiring.close();
    }
}
