package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.shared.gate.Gate;
import palyra.shared.terminal.TerminalInput;

/** {@code channels discord}: sets a bot up, asks Discord what is missing, and shows its state. */
@Component(service = Command.class)
public final class DiscordCommand implements Command {
    private static final long ABSENT_MILLIS = 2_000;
    private static final long READY_SECONDS = 60;
    private static final int MOST_TOKEN = 512;
    private static final int ASK_MILLIS = 15_000;
    private static final String CONF = "palyra.conf";
    private static final List<String> STEPS = List.of("setup", "verify", "status");
    private static final String CONTENT = "message-content";
    private static final String TEST = "test";

    private final Path conf;
    private final Gate<Access> access =
            new Gate<>("The access service", ErrorCode.POLICY_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<Vault> vault =
            new Gate<>("The vault", ErrorCode.KEYS_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<EgressClient> egress =
            new Gate<>("The egress client", ErrorCode.TOOL_UNAVAILABLE, ABSENT_MILLIS);
    private final Set<DiscordComponent> accounts = new CopyOnWriteArraySet<>();

    /** Called by the component runtime. */
    @Activate
    public DiscordCommand(BundleContext context) {
        this(Path.of(context.getProperty(CONF)));
    }

    DiscordCommand(Path conf) {
        this.conf = conf;
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAccess(Access arrived, Map<String, Object> properties) {
        access.add(arrived, properties);
    }

    void unbindAccess(Access leaving) {
        access.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindVault(Vault arrived, Map<String, Object> properties) {
        vault.add(arrived, properties);
    }

    void unbindVault(Vault leaving) {
        vault.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindEgress(EgressClient arrived, Map<String, Object> properties) {
        egress.add(arrived, properties);
    }

    void unbindEgress(EgressClient leaving) {
        egress.remove(leaving);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindAccount(DiscordComponent arrived) {
        accounts.add(arrived);
    }

    void unbindAccount(DiscordComponent leaving) {
        accounts.remove(leaving);
    }

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "channels discord",
                "Sets a bot of Discord up, verifies it, and shows its state",
                "setup asks for the bot's token, which is not shown, asks Discord whether it knows"
                        + " it, keeps it in the vault, writes"
                        + " the configuration of the account and verifies it. verify asks Discord"
                        + " what is missing. status shows sessions and what was counted.",
                List.of(
                        OptionSpec.flag(
                                CONTENT,
                                "setup: read all messages, for which Message Content Intent must"
                                        + " be on in the Developer Portal"),
                        OptionSpec.value(
                                TEST, "CHANNEL", "setup, verify: write a message into a channel")),
                List.of(
                        PositionalSpec.required("STEP", "setup, verify or status"),
                        PositionalSpec.optional("ACCOUNT", "Name of the account; main by default")),
                "channel.manage",
                true);
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index == 0
                ? STEPS.stream().filter(one -> one.startsWith(prefix)).toList()
                : List.of();
    }

    @Override
    public int run(CommandContext context) throws Exception {
        String step = context.arguments().positional(0).orElseThrow();
        ConnectorId id =
                new ConnectorId(
                        DiscordSettings.KIND, context.arguments().positional(1).orElse("main"));
        Optional<String> channel = context.arguments().option(TEST);
        if (channel.isPresent() && !Snowflakes.isOne(channel.get())) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "'"
                            + channel.get()
                            + "' is not the id of a channel; turn on Developer Mode in Discord's"
                            + " settings and copy the id from the channel's menu.");
        }
        return switch (step) {
            case "setup" -> setup(context, id);
            case "verify" -> verify(context, started(id));
            case "status" -> status(context, started(id));
            default ->
                    throw new PalyraException(
                            ErrorCode.INVALID_ARGUMENT,
                            "'" + step + "' is no step; use setup, verify or status.");
        };
    }

    private Optional<DiscordConnector> find(ConnectorId id) {
        return accounts.stream()
                .map(DiscordComponent::connector)
                .filter(one -> one.id().equals(id))
                .findFirst();
    }

    private DiscordConnector started(ConnectorId id) {
        return find(id).filter(one -> one.account().isPresent())
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "No connector "
                                                + id
                                                + " runs. palyra channels discord setup "
                                                + id.account()
                                                + " makes one; palyra doctor says what is"
                                                + " wrong with one that is configured."));
    }

    private int setup(CommandContext context, ConnectorId id) throws Exception {
        SecretRef secret = SecretRef.parse("vault:channel:" + id + "/token");
        AccessRequest question =
                new AccessRequest(
                        context.principal(),
                        "vault.put",
                        secret.resource(),
                        secret.owner(),
                        Map.of("command", "channels discord", "purpose", "command"));
        access.run(present -> present.authorizeRead(question)); // before the user types
        context.output().note(SetupWords.APPLICATION); // where errors go, whatever --json says
        byte[] token = token(context);
        try {
            requireKnown(id, secret, new String(token, StandardCharsets.UTF_8));
            Authorized permit = access.call(present -> present.authorize(question));
            vault.run(present -> present.put(permit, secret, token, -1));
        } finally {
            Arrays.fill(token, (byte) 0);
        }
        context.output().note("2. The token is in the vault, as " + secret + ".");
        Path file = write(id, secret, context.arguments().flag(CONTENT));
        context.output().note("3. " + file + " names it.");
        int verified =
                verify(context, await(context, id, secret, context.arguments().flag(CONTENT)));
        context.output().note(SetupWords.next(id));
        return verified;
    }

    /** Asks Discord, before anything is changed. */
    private void requireKnown(ConnectorId id, SecretRef secret, String token) throws IOException {
        DiscordApi api =
                new DiscordApi(
                        egress,
                        DiscordSettings.toAsk(id, secret, apiUrl(id)),
                        reference -> token,
                        () -> "service:" + id,
                        new RateLimits());
        String why;
        String bot = "";
        try {
            ApiAnswer answer = api.call(Route.self(), ASK_MILLIS);
            why =
                    switch (answer) {
                        case ApiAnswer.Done done -> {
                            boolean named = Verification.isNamed(done.result());
                            bot = named ? done.result().path("id").asText() : "";
                            yield named ? "" : "the answer has not the form of Discord's";
                        }
                        case ApiAnswer.Refused refused -> refused.shown();
                        case ApiAnswer.Unreadable unreadable -> unreadable.reason();
                    };
        } catch (TokenException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Discord does not know this token, so nothing was changed. Copy it again from the"
                            + " page Bot of the application, or take a new one with Reset Token.");
        } catch (PalyraException e) {
            why = e.getMessage();
        }
        if (!why.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "Discord could not be asked about this token, so nothing was changed: "
                            + why
                            + " Try again.");
        }
        requireAlone(id, bot);
    }

    /** Two accounts of one bot would each answer every message. */
    private void requireAlone(ConnectorId id, String bot) {
        Optional<ConnectorId> other =
                accounts.stream()
                        .map(DiscordComponent::connector)
                        .filter(one -> !one.id().equals(id))
                        .filter(
                                one ->
                                        one.account()
                                                .map(a -> a.ledger().bot())
                                                .orElse("")
                                                .equals(bot))
                        .map(DiscordConnector::id)
                        .findFirst();
        if (other.isPresent()) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "This is the token of the bot of "
                            + other.get()
                            + ", so nothing was changed: both accounts would answer each message."
                            + " Make another application for "
                            + id
                            + ", or set up "
                            + other.get()
                            + " again with this token.");
        }
    }

    /** Returns the address that the account has, or will have. */
    private String apiUrl(ConnectorId id) throws IOException {
        Optional<DiscordConnector> there = find(id);
        if (there.isPresent()) {
            return there.get().settings().apiUrl();
        }
        return DiscordSettings.apiUrl(
                configured(file(id)).path("apiUrl").asText(DiscordConfiguration.API_URL));
    }

    private Path file(ConnectorId id) {
        return conf.resolve(DiscordConfiguration.PID + "~" + id.account() + ".json");
    }

    private static byte[] token(CommandContext context) throws IOException {
        byte[] given =
                context.interactive()
                        ? TerminalInput.unseen(
                                context, "Token (it is not shown; the line ends it): ", MOST_TOKEN)
                        : context.in().readNBytes(MOST_TOKEN);
        byte[] token = TerminalInput.withoutEnd(given);
        if (!DiscordApi.isToken(new String(token, StandardCharsets.UTF_8))) {
            Arrays.fill(token, (byte) 0);
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "That is no token of Discord, which is one word of letters, digits, dots, _ and"
                            + " -."
                            + " Copy it from the page Bot of the application; it is neither the"
                            + " Public Key nor the Client Secret.");
        }
        return token;
    }

    /** Other settings of a file that is there stay as they are. */
    private Path write(ConnectorId id, SecretRef secret, boolean content) throws IOException {
        Path file = file(id);
        ObjectNode settings = configured(file);
        settings.put("token", secret.toString());
        if (content) {
            settings.put("messageContent", true);
        }
        Path draft = Files.createTempFile(conf, ".discord", ".tmp");
        Files.writeString(draft, settings.toPrettyString() + "\n");
        Files.move(draft, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        return file;
    }

    private static ObjectNode configured(Path file) throws IOException {
        if (!Files.exists(file)) {
            return DiscordApi.JSON.createObjectNode();
        }
        if (DiscordApi.JSON.readTree(Files.readAllBytes(file)) instanceof ObjectNode object) {
            return object;
        }
        throw new PalyraException(
                ErrorCode.INVALID_ARGUMENT, file + " is no JSON object; mend or remove it.");
    }

    /**
     * The configuration is read within seconds, and then the connector logs in.
     *
     * @param content whether it has to be one that reads all messages
     */
    private DiscordConnector await(
            CommandContext context, ConnectorId id, SecretRef secret, boolean content)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        boolean again = false;
        while (System.nanoTime() < end && !context.cancelled()) {
            context.output().progress("waiting for " + id + " to log in");
            Optional<DiscordConnector> connector =
                    find(id).filter(one -> uses(one, secret, content));
            State state = connector.map(one -> one.status().state()).orElse(State.STOPPED);
            if (state == State.FAILED && !again) {
                again = true; // it may have failed by what it was given before
                connector.get().again();
            } else if (state == State.READY || state == State.FAILED || state == State.DEGRADED) {
                return connector.get();
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        DiscordConnector connector = started(id);
        if (uses(connector, secret, content)) {
            return connector; // it is seen below what it waits for
        }
        throw new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                id
                        + " still works with its earlier configuration. See palyra config check, and"
                        + " then run: palyra channels discord verify "
                        + id.account());
    }

    private static boolean uses(DiscordConnector connector, SecretRef secret, boolean content) {
        return connector
                .account()
                .map(Account::settings)
                .filter(one -> one.token().equals(secret))
                .filter(one -> one.messageContent() || !content)
                .isPresent();
    }

    private int verify(CommandContext context, DiscordConnector connector) {
        Account account = connector.account().orElseThrow();
        List<Verification.Check> checks =
                new ArrayList<>(Verification.of(account, connector.status()));
        context.arguments()
                .option(TEST)
                .ifPresent(channel -> checks.add(SetupWords.tested(test(connector, channel))));
        String application = account.ledger().application();
        if (context.json() && !application.isEmpty()) {
            checks.add(SetupWords.invitation(application));
        }
        context.output()
                .table(
                        List.of("Check", "Fine", "Detail"),
                        checks.stream()
                                .map(one -> List.of(one.name(), one.fine(), one.words()))
                                .toList());
        boolean fine = checks.stream().allMatch(Verification.Check::fine);
        if (!application.isEmpty()) {
            // a line, not a cell: a terminal would break the address
            context.output()
                    .line(
                            "Who may manage a server lets the bot in here: "
                                    + Verification.invitation(application));
        }
        return fine ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static Delivery test(DiscordConnector connector, String channel) {
        String key = "test-" + Long.toString(System.currentTimeMillis(), 36);
        return connector.send(
                new OutboundMessage(
                        key,
                        Conversation.group(channel, ""),
                        "",
                        "",
                        "This is a test message of Palyra.",
                        List.of()));
    }

    private int status(CommandContext context, DiscordConnector connector) {
        Account account = connector.account().orElseThrow();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("connector", connector.id().toString());
        fields.put("state", connector.status().state().name());
        fields.put("reason", connector.status().reason());
        long last = connector.status().lastEventAtMillis();
        fields.put(
                "secondsSinceEvent", last == 0 ? "" : (System.currentTimeMillis() - last) / 1_000);
        fields.put("bot", account.ledger().bot());
        for (int i = 0; i < account.settings().shards(); i++) {
            Ledger.Session session = account.ledger().session(i);
            fields.put(
                    "shard" + i,
                    session.id().isEmpty()
                            ? "no session"
                            : "session at event " + session.sequence());
        }
        fields.put("conversationsToCatchUp", account.ledger().gaps().size());
        for (EventCounts.Count count : EventCounts.Count.values()) {
            fields.put(count.words(), account.counts().of(count));
        }
        context.output().fields(fields);
        return ExitCodes.OK;
    }
}
