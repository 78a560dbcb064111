package palyra.channels.internal;

import java.util.List;
import java.util.stream.Stream;
import palyra.api.command.Command;
import palyra.channels.internal.inbound.Pairings;
import palyra.channels.internal.route.RouteRules;

/** The commands {@code channels}, {@code pairing}, {@code identity} and {@code router}. */
final class ChannelCommands {
    private ChannelCommands() {}

    static List<Command> all(
            Channels channels,
            ChannelServices services,
            Pairings pairings,
            ChannelReport report,
            RouteRules rules) {
        return Stream.of(
                        new ConnectorCommands(channels, services, report).all(),
                        new OutboundCommands(channels, services).all(),
                        new SenderCommands(channels, services, pairings).all(),
                        new RouterCommands(services, rules).all())
                .flatMap(List::stream)
                .toList();
    }
}
