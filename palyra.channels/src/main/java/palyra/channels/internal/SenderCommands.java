package palyra.channels.internal;

import static palyra.channels.internal.ChannelCommand.CONNECTOR;
import static palyra.channels.internal.ChannelCommand.PAIR;
import static palyra.channels.internal.ChannelCommand.changing;
import static palyra.channels.internal.ChannelCommand.read;
import static palyra.channels.internal.ChannelCommand.time;

import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.Sender;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.journal.InboxRow;
import palyra.channels.internal.inbound.Identities;
import palyra.channels.internal.inbound.Pairings;
import palyra.channels.internal.route.SenderNames;
import palyra.shared.run.SubmissionCodec;

/** The commands about who is answered, and who an account is. */
final class SenderCommands {
    private static final PositionalSpec CODE =
            PositionalSpec.required("CODE", "Code that the person told you");

    private static final int LOOKED = 50;

    private final Channels channels;
    private final ChannelServices services;
    private final Pairings pairings;

    SenderCommands(Channels channels, ChannelServices services, Pairings pairings) {
        this.channels = channels;
        this.services = services;
        this.pairings = pairings;
    }

    List<Command> all() {
        return List.of(
                read(
                        "pairing list",
                        "Lists paired senders and valid codes",
                        "",
                        List.of(),
                        List.of(PositionalSpec.optional("CONNECTOR", "Only of this connector")),
                        this::pairingList),
                changing(
                        PAIR,
                        "pairing approve",
                        "Lets the sender who was given a code be answered",
                        List.of(
                                OptionSpec.value(
                                        "hours", "N", "For how long; 0, the default, for no end")),
                        List.of(CODE),
                        this::approve),
                changing(
                        PAIR,
                        "pairing deny",
                        "Refuses the sender who was given a code",
                        List.of(),
                        List.of(CODE),
                        this::deny),
                changing(
                        PAIR,
                        "pairing revoke",
                        "Ends a pairing, or refuses a code",
                        List.of(),
                        List.of(CONNECTOR, PositionalSpec.required("SENDER", "Id of the sender")),
                        this::revoke),
                read(
                        "identity list",
                        "Lists accounts of platforms that are linked to principals",
                        "",
                        List.of(),
                        List.of(),
                        this::identities),
                changing(
                        PAIR,
                        "identity link",
                        "Makes an account of a platform count as a principal",
                        List.of(
                                OptionSpec.flag("approver", "It may decide approval requests"),
                                OptionSpec.value(
                                        "ask",
                                        "CONVERSATION",
                                        "Id of its direct conversation, in which each approval"
                                                + " request is put to it")),
                        List.of(
                                CONNECTOR,
                                PositionalSpec.required(
                                        "SENDER", "The platform's id of the account"),
                                PositionalSpec.required("PRINCIPAL", "Such as user:anna")),
                        this::link),
                changing(
                        PAIR,
                        "identity unlink",
                        "Makes such an account count as itself again",
                        List.of(),
                        List.of(
                                CONNECTOR,
                                PositionalSpec.required(
                                        "SENDER", "The platform's id of the account")),
                        this::unlink));
    }

    private void pairingList(CommandContext context) {
        context.output()
                .table(
                        List.of("Connector", "Sender", "Name", "State", "Until", "By", "Approval"),
                        pairings.list(context.arguments().positional(0).orElse("")).stream()
                                .map(
                                        pairing ->
                                                List.of(
                                                        pairing.connector(),
                                                        pairing.sender(),
                                                        pairing.name(),
                                                        pairing.state().name(),
                                                        time(pairing.untilMillis()),
                                                        pairing.by(),
                                                        pairing.approvalId()))
                                .toList());
    }

    private void approve(CommandContext context) {
        int hours = context.arguments().number("hours", 0, 0, 876_000);
        Pairings.Pairing paired =
                pairings.decide(
                        context.arguments().positional(0).orElseThrow(),
                        true,
                        hours,
                        context.principal());
        context.output()
                .line(
                        "Sender "
                                + paired.sender()
                                + (paired.name().isEmpty() ? "" : " (" + paired.name() + ")")
                                + " of "
                                + paired.connector()
                                + " is answered from now on"
                                + (hours == 0 ? "." : ", for " + hours + " hours."));
    }

    private void deny(CommandContext context) {
        notAnswered(
                context,
                pairings.decide(
                        context.arguments().positional(0).orElseThrow(),
                        false,
                        0,
                        context.principal()));
    }

    private void revoke(CommandContext context) {
        notAnswered(
                context,
                pairings.revoke(
                        context.arguments().positional(0).orElseThrow(),
                        context.arguments().positional(1).orElseThrow(),
                        context.principal()));
    }

    private static void notAnswered(CommandContext context, Pairings.Pairing refused) {
        context.output()
                .line(
                        "Sender "
                                + refused.sender()
                                + " of "
                                + refused.connector()
                                + " is not answered.");
    }

    private void identities(CommandContext context) {
        context.output()
                .table(
                        List.of("Account", "Principal", "Groups", "Asked in", "By"),
                        Identities.all(services.journal()).stream()
                                .map(
                                        link ->
                                                List.of(
                                                        link.account(),
                                                        link.principal(),
                                                        link.groups(),
                                                        link.ask(),
                                                        link.by()))
                                .toList());
    }

    private void link(CommandContext context) {
        String principal = context.arguments().positional(2).orElseThrow();
        Identities.Identity link =
                new Identities.Identity(
                        account(context),
                        principal,
                        context.arguments().flag("approver") ? List.of("approver") : List.of(),
                        context.principal().id(),
                        context.arguments().positional(0).orElseThrow(),
                        context.arguments().option("ask").orElse(""));
        requireOwnPlace(
                link.connector(), context.arguments().positional(1).orElseThrow(), link.ask());
        Identities.put(services.journal(), link);
        context.output()
                .line(
                        "The account "
                                + link.account()
                                + " counts as "
                                + principal
                                + " from now on.");
        if (channels.find(link.connector()).isEmpty()) {
            context.output()
                    .note(
                            "No connector is called "
                                    + link.connector()
                                    + "; the link counts once one is. See channels list.");
        }
    }

    /**
     * Approval requests tell what runs do: they are not put where someone else is known to write.
     */
    private void requireOwnPlace(String connector, String sender, String conversation) {
        List<InboxRow> written =
                conversation.isEmpty()
                        ? List.of()
                        : services.journal()
                                .call(store -> store.inboxOf(connector, conversation, "", LOOKED));
        Optional<InboxRow> other =
                written.stream().filter(row -> !row.sender().equals(sender)).findFirst();
        if (other.isPresent()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "In conversation "
                            + conversation
                            + " of "
                            + connector
                            + " sender "
                            + other.get().sender()
                            + " writes: --ask takes the direct conversation of "
                            + sender
                            + " alone.");
        }
        if (written.stream().anyMatch(SenderCommands::isInGroup)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Conversation "
                            + conversation
                            + " of "
                            + connector
                            + " is a group: --ask takes the direct conversation of "
                            + sender
                            + ".");
        }
    }

    /** Of a message that was not answered it is not kept. */
    private static boolean isInGroup(InboxRow row) {
        if (row.runId().isEmpty()) {
            return false;
        }
        MessageOrigin origin = SubmissionCodec.message(row.payload()).origin();
        return origin != null && !origin.conversation().direct();
    }

    private void unlink(CommandContext context) {
        String account = account(context);
        Identities.remove(services.journal(), account);
        context.output().line("The account " + account + " counts as itself from now on.");
    }

    private static String account(CommandContext context) {
        return SenderNames.sender(
                ConnectorId.parse(context.arguments().positional(0).orElseThrow()),
                new Sender(context.arguments().positional(1).orElseThrow(), "", false, true));
    }
}
