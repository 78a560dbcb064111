package palyra.gateway.internal.agents;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.run.SessionView;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.outcome.Commits;

/**
 * The agents, kept as documents of the journal. The engine's lease makes this the only writer, so
 * the agents read at the start and written since are complete.
 */
public final class Agents implements AgentRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(Agents.class);
    private static final String AGENT = "agent";
    private static final String BINDING = "agent_binding";
    private static final String SETTING = "agent_setting";
    private static final String DEFAULT = "default";
    private static final int PAGE = 500;

    private final Gate<Journal> journal;
    private final Map<String, AgentView> agents = new ConcurrentSkipListMap<>();
    private final Map<String, Binding> bindings = new ConcurrentSkipListMap<>();
    private final Map<String, PalyraException> unreadable =
            new ConcurrentSkipListMap<>(); // collection/key → why
    private volatile String defaultId = DEFAULT;
    private volatile boolean loaded;
    private final Offers offers;

    /**
     * What is there for agents to use now.
     *
     * @param tools every tool on offer, by name
     * @param providers ids of the model providers, sorted
     * @param obstacle says why an agent would find no model
     * @param prompt what a model of an agent is told in a run of a principal
     */
    public record Offers(
            Supplier<List<ToolDescriptor>> tools,
            Supplier<List<String>> providers,
            Function<AgentView, Optional<String>> obstacle,
            BiFunction<AgentView, String, ModelPrompt> prompt) {
        static final Offers NONE =
                new Offers(
                        List::of,
                        List::of,
                        agent -> Optional.empty(),
                        (agent, principal) -> new ModelPrompt(agent.systemPrompt(), List.of()));
    }

    /** Creates a registry that knows nothing until {@link #load}, and of nothing on offer. */
    public Agents(Gate<Journal> journal) {
        this(journal, Offers.NONE);
    }

    /** Creates a registry that knows nothing until {@link #load}. */
    public Agents(Gate<Journal> journal, Offers offers) {
        this.journal = journal;
        this.offers = offers;
    }

    /** Reads everything; a fresh installation gets its first agent. */
    public void load() {
        if (journal.call(j -> j.document(AGENT, DEFAULT)).isEmpty()
                && journal.call(j -> j.document(SETTING, DEFAULT)).isEmpty()) {
            createFirst();
        }
        each(AGENT, document -> agents.put(document.key(), AgentJson.agent(document)));
        each(BINDING, document -> bindings.put(document.key(), AgentJson.binding(document)));
        unreadable.values().forEach(e -> LOG.error("{}", e.getMessage()));
        journal.call(j -> j.document(SETTING, DEFAULT))
                .ifPresent(document -> defaultId = AgentJson.setting(document));
        loaded = true;
    }

    private void createFirst() {
        AgentView first =
                new AgentView(
                        DEFAULT,
                        "Palyra",
                        "",
                        "",
                        "",
                        "",
                        List.of("palyra.echo", "palyra.sleep"),
                        false,
                        0,
                        0);
        Unit unit =
                Unit.builder()
                        .require(new Precondition.DocumentAt(AGENT, DEFAULT, 0))
                        .add(put(first))
                        .add(
                                new Operation.PutDocument(
                                        SETTING, DEFAULT, AgentJson.setting(DEFAULT)))
                        .build();
        try {
            Commits.commit(journal, unit);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
        }
    }

    private void each(String collection, Consumer<Document> consumer) {
        String after = "";
        List<Document> page;
        do {
            String from = after;
            page = journal.call(j -> j.documents(collection, from, PAGE));
            for (Document document : page) {
                alone(document, consumer);
                after = document.key();
            }
        } while (page.size() == PAGE);
    }

    /** One that cannot be read costs itself: what needs it is refused with its reason. */
    private void alone(Document document, Consumer<Document> consumer) {
        try {
            consumer.accept(document);
            unreadable.remove(name(document.collection(), document.key()));
        } catch (PalyraException e) {
            unreadable.put(name(document.collection(), document.key()), e);
        }
    }

    private static String name(String collection, String key) {
        return collection + "/" + key;
    }

    private void requireReadable(String collection, String key) {
        PalyraException damage = unreadable.get(name(collection, key));
        if (damage != null) {
            throw new PalyraException(damage.code(), damage.getMessage(), damage);
        }
    }

    /** Returns one sentence for each agent and binding that cannot be read. */
    public List<String> damage() {
        return unreadable.values().stream().map(Throwable::getMessage).toList();
    }

    @Override
    public AgentView create(Authorized permit, AgentView agent, boolean makeDefault) {
        permit.permit().requireFor("agent.create", System.currentTimeMillis());
        requireLoaded();
        requireReadable(AGENT, agent.agentId()); // its document is there, under another version
        if (agents.containsKey(agent.agentId())) {
            throw new PalyraException(
                    ErrorCode.ALREADY_EXISTS,
                    "An agent '"
                            + agent.agentId()
                            + "' exists already; update it or choose another id.");
        }
        AgentView stored = complete(agent, System.currentTimeMillis());
        Unit.Builder unit =
                Unit.builder()
                        .require(new Precondition.DocumentAt(AGENT, agent.agentId(), 0))
                        .add(permit.record())
                        .add(put(stored));
        if (makeDefault) {
            unit.add(
                    new Operation.PutDocument(
                            SETTING, DEFAULT, AgentJson.setting(agent.agentId())));
        }
        Commits.commit(journal, unit.build());
        agents.put(stored.agentId(), stored);
        if (makeDefault) {
            defaultId = stored.agentId();
        }
        return stored;
    }

    @Override
    public AgentView update(Authorized permit, AgentView agent) {
        permit.permit().requireFor("agent.update", System.currentTimeMillis());
        AgentView before = require(agent.agentId());
        AgentView stored = complete(agent, before.createdAtMillis());
        Commits.commit(journal, Unit.of(permit.record(), put(stored)));
        agents.put(stored.agentId(), stored);
        return stored;
    }

    @Override
    public void delete(Authorized permit, String agentId) {
        permit.permit().requireFor("agent.delete", System.currentTimeMillis());
        if (!unreadable.containsKey(name(AGENT, agentId))) {
            require(agentId);
        }
        if (agentId.equals(defaultId)) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "Agent '"
                            + agentId
                            + "' is the default agent; make another one the default first.");
        }
        Unit.Builder unit =
                Unit.builder()
                        .add(permit.record())
                        .add(new Operation.DeleteDocument(AGENT, agentId));
        List<String> bound =
                bindings.entrySet().stream()
                        .filter(e -> e.getValue().agentId().equals(agentId))
                        .map(Map.Entry::getKey)
                        .toList();
        bound.forEach(key -> unit.add(new Operation.DeleteDocument(BINDING, key)));
        Commits.commit(journal, unit.build());
        agents.remove(agentId);
        unreadable.remove(name(AGENT, agentId));
        bound.forEach(bindings::remove);
    }

    @Override
    public void setDefault(Authorized permit, String agentId) {
        permit.permit().requireFor("agent.set_default", System.currentTimeMillis());
        require(agentId);
        Commits.commit(
                journal,
                Unit.of(
                        permit.record(),
                        new Operation.PutDocument(SETTING, DEFAULT, AgentJson.setting(agentId))));
        defaultId = agentId;
    }

    @Override
    public Binding bind(Authorized permit, Binding binding) {
        permit.permit().requireFor("agent.bind", System.currentTimeMillis());
        require(binding.agentId());
        String key = key(AgentRules.principal(binding.principal()), binding.channel());
        Commits.commit(
                journal,
                Unit.of(
                        permit.record(),
                        new Operation.PutDocument(BINDING, key, AgentJson.binding(binding))));
        bindings.put(key, binding);
        unreadable.remove(name(BINDING, key));
        return binding;
    }

    @Override
    public void bindSession(Authorized permit, String sessionId, String agentId) {
        permit.permit().requireFor("agent.bind", System.currentTimeMillis());
        require(agentId);
        SessionBinding.commit(journal, permit, sessionId, agentId);
    }

    @Override
    public boolean unbind(Authorized permit, String principal, String channel) {
        permit.permit().requireFor("agent.unbind", System.currentTimeMillis());
        requireLoaded();
        String key = key(AgentRules.principal(principal), Require.orEmpty(channel));
        if (!bindings.containsKey(key) && !unreadable.containsKey(name(BINDING, key))) {
            return false;
        }
        Commits.commit(
                journal, Unit.of(permit.record(), new Operation.DeleteDocument(BINDING, key)));
        bindings.remove(key);
        unreadable.remove(name(BINDING, key));
        return true;
    }

    @Override
    public Optional<AgentView> agent(String agentId) {
        requireLoaded();
        requireReadable(AGENT, agentId);
        return Optional.ofNullable(agents.get(agentId));
    }

    @Override
    public List<AgentView> agents() {
        requireLoaded();
        return List.copyOf(agents.values());
    }

    @Override
    public Optional<String> obstacle(AgentView agent) {
        return offers.obstacle().apply(agent);
    }

    @Override
    public List<ToolDescriptor> tools() {
        return offers.tools().get();
    }

    @Override
    public List<String> providers() {
        return offers.providers().get();
    }

    @Override
    public ModelPrompt prompt(AgentView agent, String principal) {
        return offers.prompt().apply(agent, principal);
    }

    /** Returns the obstacles of all agents; none before {@link #load}. */
    public List<String> obstacles() {
        return agents.values().stream().flatMap(agent -> obstacle(agent).stream()).toList();
    }

    @Override
    public List<Binding> bindings() {
        requireLoaded();
        return List.copyOf(bindings.values());
    }

    @Override
    public String defaultAgentId() {
        requireLoaded();
        return defaultId;
    }

    @Override
    public Resolution resolve(String principal, String channel, String sessionId) {
        AgentRules.principal(principal);
        Optional<SessionView> session =
                sessionId.isEmpty() ? Optional.empty() : journal.call(j -> j.session(sessionId));
        return resolve(principal, channel, session);
    }

    /** Finds the agent for a context whose session, if any, was read already. */
    public Resolution resolve(String principal, String channel, Optional<SessionView> session) {
        requireLoaded();
        session.ifPresent(row -> requireReadable(AGENT, row.agentId()));
        if (session.isPresent() && agents.containsKey(session.get().agentId())) {
            return new Resolution(agents.get(session.get().agentId()), Source.SESSION_BINDING);
        }
        requireReadable(BINDING, key(principal, channel));
        Binding binding = bindings.get(key(principal, channel));
        if (binding == null) {
            requireReadable(BINDING, key(principal, ""));
            binding = bindings.get(key(principal, ""));
        }
        return binding == null
                ? new Resolution(require(defaultId), Source.DEFAULT)
                : new Resolution(require(binding.agentId()), Source.CONTEXT_BINDING);
    }

    /**
     * Returns the agent for a run that names it; one deleted meanwhile is replaced by the default.
     */
    public AgentView forRun(String agentId) {
        requireLoaded();
        requireReadable(AGENT, agentId); // the default might do more than this one may
        AgentView agent = agents.get(agentId);
        return agent == null ? require(defaultId) : agent;
    }

    /** Returns the agent, or throws NOT_FOUND naming those that exist. */
    public AgentView require(String agentId) {
        requireLoaded();
        requireReadable(AGENT, agentId);
        AgentView agent = agents.get(agentId);
        if (agent == null) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "Agent '"
                            + agentId
                            + "' not found; known agents: "
                            + String.join(", ", agents.keySet())
                            + ".");
        }
        return agent;
    }

    private void requireLoaded() {
        if (!loaded) {
            throw new PalyraException(
                    ErrorCode.GATEWAY_UNAVAILABLE,
                    "The gateway is still starting; try again in a moment.");
        }
    }

    private static AgentView complete(AgentView given, long createdAtMillis) {
        AgentView agent = AgentRules.checked(given);
        String prompt = agent.systemPrompt();
        return agent.withComputed(
                prompt.isEmpty() ? "" : Digests.sha256Hex(prompt),
                createdAtMillis,
                System.currentTimeMillis());
    }

    private static Operation put(AgentView agent) {
        return new Operation.PutDocument(AGENT, agent.agentId(), AgentJson.bytes(agent));
    }

    /** Unambiguous, see {@link AgentRules#principal}. */
    private static String key(String principal, String channel) {
        return principal + "/" + channel;
    }
}
