package palyra.channels.internal;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import palyra.api.command.Command;
import palyra.channels.internal.inbound.Pairings;
import palyra.channels.internal.route.Router;

/** The commands {@code channels}, {@code pairing}, {@code identity} and {@code router}. */
final class ChannelCommands {
    private ChannelCommands() {}

    static List<Command> all(
            Channels channels,
            ChannelServices services,
            Pairings pairings,
            ChannelReport report,
            Supplier<Router> router) {
        return Stream.of(
                        new ConnectorCommands(channels, services, report).all(),
                        new OutboundCommands(channels, services).all(),
                        new SenderCommands(services, pairings).all(),
                        new RouterCommands(services, router).all())
                .flatMap(List::stream)
                .toList();
    }
}
