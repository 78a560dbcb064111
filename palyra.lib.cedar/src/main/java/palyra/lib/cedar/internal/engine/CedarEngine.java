package palyra.lib.cedar.internal.engine;

import java.lang.ref.Cleaner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.CedarStatus;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.CompiledPolicy;
import palyra.lib.cedar.Converted;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.PolicySetLimits;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.lib.cedar.PreparedUse;
import palyra.lib.cedar.internal.text.Decoder;
import palyra.lib.cedar.internal.text.SourceText;

/** The engine: checks on the caller's thread, native work on two of its own. */
public final class CedarEngine implements Cedar, AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Future<NativeLibrary> loading;
    private final NativeThread decisions;
    private final NativeThread candidates;
    private final KnownPolicies known = new KnownPolicies();
    private final AtomicInteger prepared = new AtomicInteger();
    private volatile Settings settings;

    /**
     * Starts to load the library, if there is one for this machine, and returns: what needs the
     * library waits for it.
     */
    public CedarEngine(Settings settings, int queueLimit) {
        this(settings, queueLimit, begin(new FutureTask<>(NativeLibrary::load)));
    }

    CedarEngine(Settings settings, int queueLimit, Future<NativeLibrary> loading) {
        this.settings = settings;
        this.loading = loading;
        this.decisions = new NativeThread("palyra-cedar", queueLimit);
        this.candidates = new NativeThread("palyra-cedar-candidates", queueLimit);
    }

    private static Future<NativeLibrary> begin(FutureTask<NativeLibrary> loading) {
        Thread loader =
                Thread.ofPlatform()
                        .name("palyra-cedar-load")
                        .daemon(true)
                        .inheritInheritableThreadLocals(false)
                        .unstarted(loading);
        loader.setContextClassLoader(CedarEngine.class.getClassLoader());
        loader.start();
        return loading;
    }

    /** The library, or the reason why it is absent; waits while it is being loaded. */
    private NativeLibrary library() {
        try {
            return loading.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CedarException(
                    Reason.INTERRUPTED, "The wait for the Cedar library was interrupted.");
        } catch (ExecutionException e) {
            throw new IllegalStateException("The Cedar library could not be loaded.", e.getCause());
        }
    }

    /** Changes the settings for later calls. */
    public void settings(Settings changed) {
        settings = changed;
    }

    PolicySetLimits limits() {
        return settings.limits();
    }

    /** Runs work on the thread for candidates; fails when there is no library. */
    <T> T aside(Callable<T> work) {
        return on(candidates, work);
    }

    /** Runs work on one of the native threads; fails when there is no library. */
    <T> T on(NativeThread thread, Callable<T> work) {
        requireLibrary();
        return thread.call(work, settings.deadlineMillis());
    }

    @Override
    public CedarStatus status() {
        NativeLibrary library = library();
        boolean running = library.available() && !decisions.ended() && !candidates.ended();
        String reason = library.available() ? "The Cedar engine has stopped." : library.reason();
        return new CedarStatus(
                running,
                running ? "" : reason,
                library.languageVersion(),
                decisions.waiting() + candidates.waiting(),
                Math.max(decisions.busyMillis(), candidates.busyMillis()),
                prepared.get());
    }

    @Override
    public Compilation compile(CompileRequest request) {
        requireLibrary();
        Sources sources = Sources.read(request, limits());
        return sources.problems().isEmpty()
                ? aside(() -> PolicyCompiler.compile(sources, known))
                : PolicyCompiler.refused(sources);
    }

    private void requireLibrary() {
        NativeLibrary library = library();
        if (!library.available()) {
            throw new CedarException(Reason.UNAVAILABLE, library.reason());
        }
    }

    @Override
    public Converted format(CedarFile policies, int lineWidth, int indentWidth) {
        if (lineWidth < 20 || lineWidth > 400 || indentWidth < 1 || indentWidth > 16) {
            throw new CedarException(
                    Reason.REFUSED,
                    "Lines of "
                            + lineWidth
                            + " and steps of "
                            + indentWidth
                            + " were asked for; lines have 20 to 400 characters, steps 1 to 16.");
        }
        requireLibrary();
        Sources sources = Sources.read(CompileRequest.of(List.of(policies)), limits());
        if (!sources.problems().isEmpty()) {
            return new Converted("", PolicyCompiler.refused(sources).diagnostics());
        }
        String text = new String(policies.bytes(), StandardCharsets.UTF_8);
        return aside(() -> Formatter.format(sources, text, lineWidth, indentWidth));
    }

    @Override
    public List<Diagnostic> checkSchema(CedarFile schema) {
        return withSchema(schema, SchemaText::check, List::copyOf);
    }

    @Override
    public Converted schemaToJson(CedarFile schema) {
        return withSchema(schema, SchemaConverter::toJson, found -> new Converted("", found));
    }

    @Override
    public Converted schemaToCedar(CedarFile schema) {
        return withSchema(schema, SchemaConverter::toCedar, found -> new Converted("", found));
    }

    private <T> T withSchema(
            CedarFile file, Function<SchemaText, T> work, Function<List<Diagnostic>, T> refused) {
        requireLibrary();
        List<Diagnostic> problems = new ArrayList<>();
        Optional<SchemaText> schema = SchemaText.read(file, limits(), problems);
        return schema.isPresent() ? aside(() -> work.apply(schema.get())) : refused.apply(problems);
    }

    @Override
    public List<Diagnostic> checkEntities(CedarFile schema, CedarFile entities) {
        requireLibrary();
        List<Diagnostic> problems = new ArrayList<>();
        Optional<SchemaText> schemaText = SchemaText.read(schema, limits(), problems);
        Optional<SourceText> text = Decoder.decode(entities, limits().fileBytes(), problems);
        EntityCheck check = text.isPresent() ? EntityCheck.read(text.get(), problems) : null;
        return problems.isEmpty() && check != null
                ? aside(() -> check.check(schemaText.get()))
                : List.copyOf(problems);
    }

    @Override
    public PreparedPolicySet prepare(Compilation compilation) {
        Sources sources = Sources.read(compilation.request(), limits());
        if (!compilation.ok() || !sources.problems().isEmpty()) {
            throw new CedarException(
                    Reason.REFUSED,
                    "A policy set with errors was to be prepared; correct it first.");
        }
        return prepare(sources, templates(compilation), PreparedUse.IN_FORCE);
    }

    @Override
    public PreparedPolicySet prepare(CompileRequest request, PreparedUse use) {
        Sources sources = Sources.read(request, limits());
        if (!request.links().isEmpty() || !sources.problems().isEmpty()) {
            throw new CedarException(
                    Reason.REFUSED,
                    "A policy set with links or errors was to be prepared; compile it first.");
        }
        return prepare(sources, Map.of(), use);
    }

    private PreparedSet prepare(Sources sources, Map<String, Integer> templates, PreparedUse use) {
        requireLibrary();
        PreparedSet set =
                reserve(sources, templates, use == PreparedUse.CANDIDATE ? candidates : decisions);
        try {
            on(
                    use == PreparedUse.IN_FORCE ? decisions : candidates,
                    () -> keep(sources, templates, set));
            return set;
        } catch (RuntimeException e) {
            set.close();
            throw e;
        }
    }

    private static Map<String, Integer> templates(Compilation compilation) {
        Map<String, Integer> templates = new HashMap<>();
        for (int i = 0; i < compilation.policies().size(); i++) {
            CompiledPolicy policy = compilation.policies().get(i);
            if (policy.template()) {
                templates.put(policy.id(), i);
                templates.putIfAbsent(policy.name().isEmpty() ? policy.id() : policy.name(), i);
            }
        }
        return templates;
    }

    private PreparedSet reserve(
            Sources sources, Map<String, Integer> templates, NativeThread thread) {
        if (prepared.incrementAndGet() > settings.maxPreparedSets()) {
            prepared.decrementAndGet();
            throw new CedarException(
                    Reason.BUSY,
                    "Another policy set was to be prepared while "
                            + settings.maxPreparedSets()
                            + " are; close those that are not needed.");
        }
        String id = UUID.randomUUID().toString();
        return new PreparedSet(
                new PreparedSet.Caller() {
                    @Override
                    public <T> T call(Callable<T> work) {
                        return on(thread, work);
                    }
                },
                () -> limits().fileBytes(),
                id,
                sources.schema().isPresent(),
                new DecisionReader(sources, templates),
                CLEANER,
                releaser(thread, prepared, id));
    }

    /**
     * Static, so that what the cleaner keeps does not keep the set. A set is forgotten on the
     * thread that asks it, never beside a request.
     */
    private static Runnable releaser(NativeThread thread, AtomicInteger prepared, String id) {
        return () -> {
            prepared.decrementAndGet();
            thread.later(() -> NativeCalls.forget(id));
        };
    }

    private Void keep(Sources sources, Map<String, Integer> templates, PreparedSet set) {
        try {
            set.keep(sources.policySet(i -> true, templates), sources.schema());
            return null;
        } catch (NativeCalls.Refusal e) {
            throw new CedarException(
                    Reason.FAILED,
                    "The Cedar engine refused to keep a policy set that is said to be valid.");
        }
    }

    @Override
    public void close() {
        candidates.close();
        decisions.close();
    }
}
