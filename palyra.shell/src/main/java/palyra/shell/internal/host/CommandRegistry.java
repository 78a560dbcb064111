package palyra.shell.internal.host;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.command.Command;
import palyra.api.command.CommandSpec;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;

/**
 * The commands of every bundle, by name. The higher ranking wins a name, then the lower service id.
 * Thread-safe; listeners are called without a lock.
 */
@Component(service = CommandRegistry.class)
public final class CommandRegistry {
    private final ReentrantLock lock = new ReentrantLock();
    private final IdentityHashMap<Command, Offer> all = new IdentityHashMap<>(); // guarded by lock
    private final IdentityHashMap<Command, Finding> refused =
            new IdentityHashMap<>(); // guarded by lock
    private final List<Runnable> changes = new CopyOnWriteArrayList<>();
    private final List<Consumer<Offer>> removals = new CopyOnWriteArrayList<>();

    /** By name, best offer of each; replaced as a whole. */
    private volatile TreeMap<String, Offer> best = new TreeMap<>();

    private ServiceRegistration<FindingSource> findings;

    /** Creates the registry with the commands that are about the commands themselves. */
    @Activate
    public CommandRegistry(@Reference Seams seams) {
        addOwn(new HelpCommand(this));
        addOwn(new CompletionCommand(this, seams));
    }

    @Activate
    void activate(BundleContext context) {
        // Not a service of the component: the doctor, a command, asks for it, and would be asked
        // for by the registry while the registry is being made.
        findings = context.registerService(FindingSource.class, this::findings, null);
    }

    @Deactivate
    void deactivate() {
        findings.unregister();
    }

    private void addOwn(Command command) {
        put(command, new Offer(command, command.spec(), "palyra.shell", Integer.MIN_VALUE, 0));
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindCommand(Command command, ServiceReference<Command> reference) {
        Object ranking = reference.getProperty("service.ranking");
        long id = reference.getProperty("service.id") instanceof Long number ? number : 0L;
        String origin =
                reference.getBundle() == null
                        ? "a bundle that is gone"
                        : Objects.toString(reference.getBundle().getSymbolicName(), "a bundle");
        add(command, origin, ranking instanceof Integer number ? number : 0, id);
    }

    /** Takes a command in, or notes why it cannot be offered. */
    void add(Command command, String origin, int ranking, long serviceId) {
        CommandSpec spec = null;
        Optional<String> problem;
        try {
            spec = command.spec();
            problem = SpecCheck.problem(spec);
        } catch (RuntimeException | LinkageError e) {
            problem = Optional.of("its spec cannot be read: " + e.getMessage());
        }
        if (problem.isPresent()) {
            refuse(command, spec, origin, problem.get());
        } else {
            put(command, new Offer(command, spec, origin, ranking, serviceId));
        }
        changes.forEach(Runnable::run);
    }

    private void refuse(Command command, CommandSpec spec, String origin, String problem) {
        String name = spec == null ? command.getClass().getName() : spec.name();
        Finding finding =
                new Finding(
                        Finding.Severity.WARNING,
                        "commands",
                        "The command " + name + " of " + origin + " is left out: " + problem + ".",
                        "Correct the command and update " + origin + ".");
        lock.lock();
        try {
            refused.put(command, finding);
        } finally {
            lock.unlock();
        }
    }

    private void put(Command command, Offer offer) {
        lock.lock();
        try {
            all.put(command, offer);
            choose();
        } finally {
            lock.unlock();
        }
    }

    private void choose() {
        TreeMap<String, Offer> chosen = new TreeMap<>();
        for (Offer offer : all.values()) {
            chosen.merge(offer.spec().name(), offer, (a, b) -> a.beats(b) ? a : b);
        }
        best = chosen;
    }

    public void unbindCommand(Command command) {
        remove(command);
    }

    void remove(Command command) {
        Offer gone;
        lock.lock();
        try {
            refused.remove(command);
            gone = all.remove(command);
            choose();
        } finally {
            lock.unlock();
        }
        if (gone != null) {
            removals.forEach(listener -> listener.accept(gone));
        }
        changes.forEach(Runnable::run);
    }

    /** Calls {@code listener} after each change of the commands. */
    public void onChange(Runnable listener) {
        changes.add(listener);
    }

    /** Ends {@link #onChange}. */
    public void offChange(Runnable listener) {
        changes.remove(listener);
    }

    /** Calls {@code listener} for each command that leaves, before it goes. */
    void onRemoval(Consumer<Offer> listener) {
        removals.add(listener);
    }

    void offRemoval(Consumer<Offer> listener) {
        removals.remove(listener);
    }

    Optional<Offer> find(String name) {
        return Optional.ofNullable(best.get(name));
    }

    /** Returns the name of a command that asks for an action; the first by name. */
    Optional<String> byAction(String action) {
        return specs().stream()
                .filter(spec -> spec.action().equals(action))
                .map(CommandSpec::name)
                .findFirst();
    }

    /** Returns the specs of all commands on offer, by name. */
    List<CommandSpec> specs() {
        return best.values().stream().map(Offer::spec).toList();
    }

    /** Returns the first words of all commands on offer. */
    public SortedSet<String> firstWords() {
        SortedSet<String> words = new TreeSet<>();
        best.keySet().forEach(name -> words.add(name.split(" ", 2)[0]));
        return words;
    }

    /** Returns the second words that {@code first} has. */
    SortedSet<String> secondWords(String first) {
        SortedSet<String> words = new TreeSet<>();
        for (String name : best.keySet()) {
            String[] parts = name.split(" ", 2);
            if (parts.length == 2 && parts[0].equals(first)) {
                words.add(parts[1]);
            }
        }
        return words;
    }

    private List<Finding> findings() {
        lock.lock();
        try {
            List<Finding> found = new ArrayList<>(refused.values());
            found.sort(Comparator.comparing(Finding::message));
            return found;
        } finally {
            lock.unlock();
        }
    }
}
