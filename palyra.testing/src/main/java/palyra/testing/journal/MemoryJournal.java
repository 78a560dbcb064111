package palyra.testing.journal;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.api.core.journal.BudgetRow;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.Lease;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunPayloads;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.RunSnapshot;
import palyra.api.core.journal.SettledKind;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeRecord;
import palyra.shared.hash.Ulids;
import palyra.shared.json.StrictJson;

/**
 * A journal in memory that passes {@link JournalContract}; it keeps no budgets. Thread-safe. Hooks
 * let a test fail on purpose: {@link #beforeUnit}, {@link #afterUnit}, {@link #beforeRead}, {@link
 * #refuseUnits}, {@link #holdAnswers}.
 */
public final class MemoryJournal implements Journal {
    private static final int PAGE_BYTES = 8 << 20;

    private final MemoryTables tables = new MemoryTables(); // guarded by itself, as the next two
    private final Map<String, Lease> leases = new HashMap<>();
    private final Map<String, Lease> released = new HashMap<>();
    private final MemoryFeed feed = new MemoryFeed();
    private final MemoryVerifier verifier;
    private final Keys keys;
    private final InstantSource clock;
    private volatile String bootId;
    private volatile Consumer<Unit> beforeUnit = unit -> {};
    private volatile BiConsumer<Unit, Committed> afterUnit = (unit, committed) -> {};
    private volatile Runnable beforeRead = () -> {};
    private volatile boolean answersHeld;

    /** Makes an empty journal with fresh keys and the system's clock. */
    public MemoryJournal() {
        this(new MemoryKeys(), InstantSource.system(), "boot-1");
    }

    /**
     * Makes an empty journal.
     *
     * @param bootId id of the process start; leases of owners {@code <other id>/...} are free
     */
    public MemoryJournal(Keys keys, InstantSource clock, String bootId) {
        this.keys = keys;
        this.clock = clock;
        this.bootId = bootId;
        this.verifier = new MemoryVerifier(tables, keys);
    }

    /** Runs {@code hook} before each unit; the unit is refused with what the hook throws. */
    public void beforeUnit(Consumer<Unit> hook) {
        beforeUnit = hook;
    }

    /** Runs {@code hook} after each unit, replays included; the caller gets what it throws. */
    public void afterUnit(BiConsumer<Unit, Committed> hook) {
        afterUnit = hook;
    }

    /** Runs {@code hook} before each read; the read fails with what the hook throws. */
    public void beforeRead(Runnable hook) {
        beforeRead = hook;
    }

    /** Refuses every unit with {@code code} from now on; reads go on. */
    public void refuseUnits(ErrorCode code) {
        beforeUnit =
                unit -> {
                    throw new PalyraException(code, "The test refuses every unit.");
                };
    }

    /** Accepts units again after {@link #refuseUnits} or {@link #beforeUnit}. */
    public void acceptUnits() {
        beforeUnit = unit -> {};
    }

    /** While {@code held}, {@link #submit} applies units and its stages never complete. */
    public void holdAnswers(boolean held) {
        answersHeld = held;
    }

    /** Ends the feed and goes on as after a restart of the process. */
    public void restart(String newBootId) {
        feed.close();
        bootId = newBootId;
    }

    /** Returns the feed of this journal. */
    public LiveFeed feed() {
        return feed;
    }

    /** Returns the verifier of this journal. */
    public TapeVerifier verifier() {
        return verifier;
    }

    /** Returns every record of a stream; empty when the stream is not known. */
    public List<TapeRecord> records(String streamId) {
        synchronized (tables) {
            return List.copyOf(tables.tapes.getOrDefault(MemoryTables.key(streamId), List.of()));
        }
    }

    /** Returns the payloads of one record type in the journal's own stream, oldest first. */
    public List<JsonNode> events(String type) {
        return records(TapeRecord.JOURNAL_STREAM).stream()
                .filter(record -> record.type().equals(type))
                .map(record -> StrictJson.parse(record.payload(), "an event"))
                .toList();
    }

    @Override
    public Committed commit(Unit unit) {
        synchronized (tables) {
            beforeUnit.accept(unit);
            Optional<Committed> before = replayed(unit);
            Committed committed = before.isPresent() ? before.get() : apply(unit);
            afterUnit.accept(unit, committed);
            return committed;
        }
    }

    private Optional<Committed> replayed(Unit unit) {
        if (unit.idempotencyKey().isPresent()) {
            Optional<byte[]> answer = answer(unit.idempotencyKey().get());
            if (answer.isPresent()) {
                return Optional.of(new Committed(true, answer.get(), List.of()));
            }
        }
        return unit.step()
                .filter(step -> step.key().equals(tables.steps.get(step.streamId())))
                .map(step -> new Committed(true, null, List.of()));
    }

    private Optional<byte[]> answer(IdempotencyKey key) {
        MemoryTables.Answer found = tables.answers.get(MemoryTables.answerKey(key));
        if (found != null && !found.requestSha256().equals(key.requestSha256())) {
            throw new PalyraException(
                    ErrorCode.IDEMPOTENCY_MISMATCH,
                    "Key " + key.key() + " was used for another request.");
        }
        return Optional.ofNullable(found).map(MemoryTables.Answer::result);
    }

    private Committed apply(Unit unit) {
        tables.begin();
        try {
            unit.preconditions().forEach(this::require);
            List<Committed.Position> appended =
                    new MemoryOperations(tables, keys, clock.millis()).apply(unit.operations());
            unit.step().ifPresent(this::take);
            unit.idempotencyKey()
                    .ifPresent(
                            key ->
                                    tables.answers.put(
                                            MemoryTables.answerKey(key),
                                            new MemoryTables.Answer(
                                                    key.requestSha256(), unit.result())));
            tables.hints.forEach(feed::deliver);
            return new Committed(false, unit.result(), appended);
        } catch (RuntimeException | Error e) {
            tables.rollBack();
            throw e;
        }
    }

    private void take(Unit.Step step) {
        tables.require(tables.tapes, "stream", step.streamId());
        tables.put(tables.steps, step.streamId(), step.key());
    }

    private void require(Precondition precondition) {
        switch (precondition) {
            case Precondition.Epoch wanted -> {
                RunRow run = tables.runs.get(wanted.runId());
                if (run == null || run.epoch() != wanted.epoch() || run.state().terminal()) {
                    throw MemoryTables.stale(wanted + " does not hold.");
                }
            }
            case Precondition.HoldsLease wanted -> {
                Lease lease = leases.get(wanted.name());
                if (lease == null
                        || !lease.owner().equals(wanted.owner())
                        || lease.epoch() != wanted.epoch()) {
                    throw MemoryTables.stale(wanted + " does not hold.");
                }
            }
            case Precondition.ApprovalOpen open ->
                    new MemoryApprovals(tables, clock.millis())
                            .requireOpen(open.approvalId(), open.votes());
            case Precondition.QueueBelow below -> {
                if (waiting() >= below.limit()) {
                    throw new PalyraException(
                            ErrorCode.RESOURCE_EXHAUSTED, waiting() + " messages and runs wait.");
                }
            }
            default -> {
                if (!holds(precondition)) {
                    throw MemoryTables.conflict(precondition + " does not hold.");
                }
            }
        }
    }

    private boolean holds(Precondition precondition) {
        return switch (precondition) {
            case Precondition.RunIn wanted -> {
                RunRow run = tables.runs.get(wanted.runId());
                yield run != null && wanted.states().contains(run.state());
            }
            case Precondition.SessionIdle wanted -> !tables.hasOpenRun(wanted.sessionId());
            case Precondition.SessionLive wanted -> {
                SessionView session = tables.sessions.get(wanted.sessionId());
                yield session != null && session.archivedAtMillis() == 0;
            }
            case Precondition.DocumentAt wanted -> {
                Document found =
                        tables.documents.get(
                                MemoryTables.documentKey(wanted.collection(), wanted.key()));
                yield wanted.version() == (found == null ? 0 : found.version());
            }
            case Precondition.InboxIn wanted -> {
                InboxRow found = tables.inbox.get(wanted.messageId());
                yield found != null && found.state() == wanted.state();
            }
            default -> throw new IllegalStateException("checked elsewhere: " + precondition);
        };
    }

    private long waiting() {
        return tables.inbox.values().stream()
                        .filter(row -> row.state() == InboxRow.State.QUEUED)
                        .count()
                + tables.runs.values().stream()
                        .filter(row -> row.state() == RunState.ACCEPTED)
                        .count();
    }

    @Override
    public CompletionStage<Committed> submit(Unit unit) {
        try {
            Committed committed = commit(unit);
            return answersHeld
                    ? new CompletableFuture<>()
                    : CompletableFuture.completedFuture(committed);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public Lease takeLease(String name, String owner, long ttlMillis) {
        Require.that(
                ttlMillis >= 1_000 && ttlMillis <= 600_000,
                "a lease of " + ttlMillis + " ms: 1000 to 600000 are taken");
        synchronized (tables) {
            long now = clock.millis();
            Lease held = leases.get(name);
            Lease last = held == null ? released.get(name) : held;
            boolean renewed = held != null && held.owner().equals(owner);
            if (held != null && !renewed && held.expiresAtMillis() > now && !isOfOldBoot(held)) {
                throw MemoryTables.conflict("Lease " + name + " is held by " + held.owner() + ".");
            }
            long epoch = last == null ? 1 : last.epoch() + (renewed ? 0 : 1);
            boolean abandoned = held != null && !renewed;
            Lease taken = new Lease(name, owner, epoch, now + ttlMillis, abandoned);
            leases.put(name, taken);
            return taken;
        }
    }

    private boolean isOfOldBoot(Lease lease) {
        int slash = lease.owner().indexOf('/');
        return slash > 0 && !lease.owner().substring(0, slash).equals(bootId);
    }

    @Override
    public void releaseLease(String name, String owner) {
        synchronized (tables) {
            Lease held = leases.get(name);
            if (held != null && held.owner().equals(owner)) {
                leases.remove(name);
                long end = Math.min(held.expiresAtMillis(), clock.millis());
                released.put(name, new Lease(name, owner, held.epoch(), end));
            }
        }
    }

    @Override
    public Optional<Lease> lease(String name) {
        return read(() -> Optional.ofNullable(leases.getOrDefault(name, released.get(name))));
    }

    @Override
    public JournalStatus status() {
        synchronized (tables) {
            long records = tables.tapes.values().stream().mapToLong(List::size).sum();
            return new JournalStatus(JournalStatus.State.OPEN, "", 0, 0, records, 1);
        }
    }

    private <T> T read(Supplier<T> reading) {
        synchronized (tables) {
            beforeRead.run();
            return reading.get();
        }
    }

    /** Reads a page of rows whose id comes after {@code afterId}. */
    private <T> List<T> page(Stream<T> rows, Function<T, String> id, String afterId, int limit) {
        return page(rows.filter(row -> id.apply(row).compareTo(afterId) > 0), limit);
    }

    private static <T> List<T> page(Stream<T> rows, int limit) {
        requireLimit(limit);
        return rows.limit(limit).toList();
    }

    private static void requireLimit(int limit) {
        Require.that(limit >= 1 && limit <= 1_000, "a page of " + limit + ": 1 to 1000 are taken");
    }

    private static boolean fits(String wanted, String found) {
        return wanted.isEmpty() || wanted.equals(found);
    }

    @Override
    public Optional<SessionView> session(String sessionId) {
        return read(() -> Optional.ofNullable(tables.sessions.get(sessionId)));
    }

    @Override
    public Optional<SessionView> sessionByKey(String principal, String key) {
        return read(
                () ->
                        tables.sessions.values().stream()
                                .filter(row -> !key.isEmpty() && row.key().equals(key))
                                .filter(row -> row.principal().equals(principal))
                                .findFirst());
    }

    @Override
    public List<SessionView> sessions(
            String principal, String text, String beforeId, int limit, boolean includeArchived) {
        Predicate<SessionView> wanted =
                row ->
                        fits(principal, row.principal())
                                && (includeArchived || row.archivedAtMillis() == 0)
                                && (beforeId.isEmpty() || row.sessionId().compareTo(beforeId) < 0)
                                && (contains(row.key(), text) || contains(row.label(), text));
        return read(
                () ->
                        page(
                                tables.sessions.values().stream()
                                        .filter(wanted)
                                        .sorted(
                                                Comparator.comparing(SessionView::sessionId)
                                                        .reversed()),
                                limit));
    }

    /** Ignores letter case of a to z only. */
    private static boolean contains(String text, String part) {
        return lower(text).contains(lower(part));
    }

    private static String lower(String text) {
        StringBuilder lower = new StringBuilder(text.length());
        text.chars()
                .map(c -> c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c)
                .forEach(c -> lower.append((char) c));
        return lower.toString();
    }

    private RunRow withHead(RunRow run) {
        return new RunRow(
                run.runId(),
                run.sessionId(),
                run.principal(),
                run.agentId(),
                run.originKind(),
                run.messageId(),
                run.surface(),
                run.state(),
                run.reason(),
                run.epoch(),
                run.createdAtMillis(),
                run.updatedAtMillis(),
                tables.tapes.get(run.runId()).size(),
                run.seal(),
                run.attempts());
    }

    @Override
    public Optional<RunRow> run(String runId) {
        return read(() -> Optional.ofNullable(tables.runs.get(runId)).map(this::withHead));
    }

    @Override
    public List<RunRow> runs(String principal, String sessionId, String beforeId, int limit) {
        return read(
                () -> {
                    List<RunRow> recorded = new ArrayList<>(tables.runs.values());
                    int end = beforeId.isEmpty() ? recorded.size() : indexOf(recorded, beforeId);
                    boolean unknown =
                            end < 0
                                    || end < recorded.size()
                                            && !fits(principal, recorded.get(end).principal());
                    List<RunRow> before = unknown ? List.of() : recorded.subList(0, end);
                    return page(
                            before.reversed().stream()
                                    .filter(row -> fits(principal, row.principal()))
                                    .filter(row -> fits(sessionId, row.sessionId()))
                                    .map(this::withHead),
                            limit);
                });
    }

    private static int indexOf(List<RunRow> runs, String runId) {
        return runs.stream().map(RunRow::runId).toList().indexOf(runId);
    }

    @Override
    public List<RunRow> runsIn(Set<RunState> states, String sessionId, String afterId, int limit) {
        return read(
                () ->
                        page(
                                runsAfter(afterId)
                                        .filter(row -> states.contains(row.state()))
                                        .filter(row -> fits(sessionId, row.sessionId())),
                                limit));
    }

    private Stream<RunRow> runsAfter(String afterId) {
        List<RunRow> recorded = new ArrayList<>(tables.runs.values());
        int at = afterId.isEmpty() ? -1 : indexOf(recorded, afterId);
        boolean unknown = at < 0 && !afterId.isEmpty();
        return unknown ? Stream.of() : recorded.stream().skip(at + 1L).map(this::withHead);
    }

    @Override
    public List<RunRow> answeredRuns(String afterId, int limit) {
        return read(
                () ->
                        page(
                                runsAfter(afterId)
                                        .filter(row -> row.state() == RunState.AWAITING_APPROVAL)
                                        .filter(
                                                row ->
                                                        tables.marks.contains(
                                                                MemoryApprovals.answered(
                                                                        row.runId()))),
                                limit));
    }

    @Override
    public List<TapeRecord> tape(String streamId, long afterSeq, int limit) {
        requireLimit(limit);
        return read(
                () -> {
                    List<TapeRecord> page = new ArrayList<>();
                    List<TapeRecord> tape =
                            tables.tapes.getOrDefault(MemoryTables.key(streamId), List.of());
                    long bytes = 0;
                    for (int at = (int) Math.min(afterSeq, tape.size()); at < tape.size(); at++) {
                        TapeRecord record = tape.get(at);
                        bytes += record.payload() == null ? 0 : record.payload().length;
                        if (page.size() == limit || bytes > PAGE_BYTES && !page.isEmpty()) {
                            break;
                        }
                        page.add(record);
                    }
                    return List.copyOf(page);
                });
    }

    @Override
    public List<RunRow> endedRuns(RunPayloads left, long beforeMillis, String afterId, int limit) {
        return read(
                () -> {
                    List<RunRow> ended =
                            tables.runs.values().stream()
                                    .filter(run -> run.state().terminal())
                                    .filter(run -> run.updatedAtMillis() < beforeMillis)
                                    .filter(run -> left(run.runId()) == left)
                                    .sorted(Comparator.comparingLong(RunRow::updatedAtMillis))
                                    .toList();
                    RunRow after = tables.runs.get(afterId);
                    if (after == null) {
                        return afterId.isEmpty() ? first(ended, limit) : List.of();
                    }
                    List<String> recorded = List.copyOf(tables.runs.keySet());
                    Comparator<RunRow> order =
                            Comparator.comparingLong(RunRow::updatedAtMillis)
                                    .thenComparing(run -> recorded.indexOf(run.runId()));
                    return first(
                            ended.stream().filter(run -> order.compare(run, after) > 0).toList(),
                            limit);
                });
    }

    private RunPayloads left(String runId) {
        return tables.payloads.getOrDefault(runId, RunPayloads.WHOLE);
    }

    private static <T> List<T> first(List<T> all, int limit) {
        return all.stream().limit(limit).toList();
    }

    @Override
    public List<String> settled(SettledKind kind, long beforeMillis, String afterId, int limit) {
        String end = Ulids.firstAt(Math.max(0, beforeMillis));
        return read(
                () ->
                        tables.rows(kind).keySet().stream()
                                .filter(id -> id.compareTo(afterId) > 0 && id.compareTo(end) < 0)
                                .filter(
                                        id ->
                                                tables.settledBefore(kind, id, beforeMillis)
                                                        .orElse(false))
                                .limit(limit)
                                .toList());
    }

    @Override
    public String nodeStream() {
        return MemoryTables.NODE_STREAM;
    }

    @Override
    public long headSeq(String streamId) {
        return read(
                () ->
                        (long)
                                tables.tapes
                                        .getOrDefault(MemoryTables.key(streamId), List.of())
                                        .size());
    }

    @Override
    public Optional<RunSnapshot> snapshot(String runId) {
        return read(() -> Optional.ofNullable(tables.snapshots.get(runId)));
    }

    @Override
    public Optional<InboxRow> inbox(String messageId) {
        return read(() -> Optional.ofNullable(tables.inbox.get(messageId)));
    }

    @Override
    public Optional<InboxRow> inboxByKey(String surface, String dedupeKey) {
        return read(
                () ->
                        tables.inbox.values().stream()
                                .filter(row -> row.surface().equals(surface))
                                .filter(row -> !dedupeKey.isEmpty())
                                .filter(row -> row.dedupeKey().equals(dedupeKey))
                                .findFirst());
    }

    @Override
    public List<InboxRow> inboxIn(InboxRow.State state, String afterId, int limit) {
        return read(
                () ->
                        page(
                                tables.inbox.values().stream().filter(row -> row.state() == state),
                                InboxRow::messageId,
                                afterId,
                                limit));
    }

    @Override
    public List<OutboxRow> outboxIn(
            OutboxRow.State state, String surface, String afterId, int limit) {
        return read(
                () ->
                        page(
                                tables.outbox.values().stream()
                                        .filter(row -> row.state() == state)
                                        .filter(row -> fits(surface, row.surface())),
                                OutboxRow::outboxId,
                                afterId,
                                limit));
    }

    @Override
    public List<OutboxRow> outboxHeads(String surface, String afterKey, int limit) {
        return read(
                () -> {
                    Map<String, OutboxRow> heads = new TreeMap<>();
                    tables.outbox.values().stream()
                            .filter(row -> row.surface().equals(surface))
                            .filter(
                                    row ->
                                            row.state() == OutboxRow.State.PENDING
                                                    || row.state() == OutboxRow.State.SENDING)
                            .filter(row -> row.orderKey().compareTo(afterKey) > 0)
                            .forEach(row -> heads.putIfAbsent(row.orderKey(), row));
                    return heads.values().stream().limit(limit).toList();
                });
    }

    @Override
    public List<InboxRow> inboxOf(String surface, String conversation, String beforeId, int limit) {
        return read(
                () ->
                        tables.inbox.values().stream()
                                .filter(row -> row.surface().equals(surface))
                                .filter(row -> row.conversation().equals(conversation))
                                .filter(
                                        row ->
                                                row.state() == InboxRow.State.ROUTED
                                                        || row.reason().equals("deleted")
                                                        || row.reason()
                                                                .equals("deleted_after_start"))
                                .filter(row -> isBefore(row.messageId(), beforeId))
                                .sorted(Comparator.comparing(InboxRow::messageId).reversed())
                                .limit(limit)
                                .toList());
    }

    @Override
    public List<OutboxRow> outboxSent(String surface, String orderKey, String beforeId, int limit) {
        return read(
                () ->
                        tables.outbox.values().stream()
                                .filter(row -> row.surface().equals(surface))
                                .filter(row -> row.orderKey().equals(orderKey))
                                .filter(row -> row.state() == OutboxRow.State.SENT)
                                .filter(row -> isBefore(row.outboxId(), beforeId))
                                .sorted(Comparator.comparing(OutboxRow::outboxId).reversed())
                                .limit(limit)
                                .toList());
    }

    private static boolean isBefore(String id, String beforeId) {
        return beforeId.isEmpty() || id.compareTo(beforeId) < 0;
    }

    @Override
    public Optional<OutboxRow> outbox(String outboxId) {
        return read(() -> Optional.ofNullable(tables.outbox.get(outboxId)));
    }

    @Override
    public List<OutboxRow> outboxOf(String runId) {
        return read(
                () ->
                        tables.outbox.values().stream()
                                .filter(row -> row.runId().equals(runId))
                                .toList());
    }

    @Override
    public List<CommandRow> pendingCommands(String afterId, int limit) {
        return read(
                () ->
                        page(
                                tables.commands.values().stream().filter(row -> !row.done()),
                                CommandRow::commandId,
                                afterId,
                                limit));
    }

    @Override
    public Optional<ApprovalRow> approval(String approvalId) {
        return read(() -> Optional.ofNullable(tables.approvals.get(approvalId)));
    }

    @Override
    public List<ApprovalRow> approvals(ApprovalFilter filter, String afterId, int limit) {
        return read(
                () ->
                        page(
                                tables.approvals.values().stream().filter(row -> fits(filter, row)),
                                ApprovalRow::approvalId,
                                afterId,
                                limit));
    }

    private static boolean fits(ApprovalFilter filter, ApprovalRow row) {
        return filter.state().map(state -> state == row.state()).orElse(true)
                && fits(filter.subjectType(), row.subjectType())
                && fits(filter.subjectId(), row.subjectId())
                && fits(filter.principal(), row.principal())
                && fits(filter.runId(), row.runId())
                && fits(filter.sessionId(), row.sessionId())
                && row.createdAtMillis() >= filter.sinceMillis()
                && (filter.untilMillis() == 0 || row.createdAtMillis() < filter.untilMillis());
    }

    @Override
    public List<ApprovalVoteRow> approvalVotes(String approvalId) {
        return read(() -> List.copyOf(tables.votes.getOrDefault(approvalId, List.of())));
    }

    @Override
    public List<ApprovalRow> approvalsDue(long nowMillis, int limit) {
        Predicate<ApprovalRow> due =
                row ->
                        row.state() == ApprovalRow.State.PENDING
                                && (row.expiresAtMillis() <= nowMillis
                                        || row.noticeAtMillis() > 0
                                                && row.noticeAtMillis() <= nowMillis);
        return read(() -> page(tables.approvals.values().stream().filter(due), limit));
    }

    @Override
    public Optional<GrantRow> grant(String grantId) {
        return read(() -> Optional.ofNullable(tables.grants.get(grantId)));
    }

    @Override
    public List<GrantRow> grants(
            String principal,
            String sessionId,
            String tool,
            long activeAtMillis,
            String afterId,
            int limit) {
        Predicate<GrantRow> wanted =
                row ->
                        fits(principal, row.principal())
                                && fits(tool, row.tool())
                                && (row.sessionId().isEmpty() || fits(sessionId, row.sessionId()))
                                && (activeAtMillis == 0 || covers(row, activeAtMillis));
        return read(
                () ->
                        page(
                                tables.grants.values().stream().filter(wanted),
                                GrantRow::grantId,
                                afterId,
                                limit));
    }

    private static boolean covers(GrantRow row, long atMillis) {
        return row.state() == GrantRow.State.ACTIVE
                && (row.expiresAtMillis() == 0 || row.expiresAtMillis() > atMillis);
    }

    @Override
    public Optional<Document> document(String collection, String key) {
        return read(
                () ->
                        Optional.ofNullable(
                                tables.documents.get(MemoryTables.documentKey(collection, key))));
    }

    @Override
    public List<Document> documents(String collection, String afterKey, int limit) {
        return read(
                () ->
                        page(
                                tables.documents.values().stream()
                                        .filter(row -> row.collection().equals(collection)),
                                Document::key,
                                afterKey,
                                limit));
    }

    @Override
    public List<BudgetRow> budgets(String period, String subject, long afterNo, int limit) {
        throw MemoryOperations.noBudgets();
    }

    @Override
    public Optional<byte[]> stored(IdempotencyKey key) {
        return read(() -> answer(key));
    }
}
