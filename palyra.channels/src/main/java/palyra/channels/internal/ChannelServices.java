package palyra.channels.internal;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.InboundAction;
import palyra.api.channel.Sender;
import palyra.api.core.journal.Journal;
import palyra.api.run.Runs;
import palyra.channels.internal.approval.Cards;
import palyra.channels.internal.dispatch.DispatchSettings;
import palyra.channels.internal.files.HeldFiles;
import palyra.channels.internal.inbound.Inbox;
import palyra.shared.gate.Gate;
import palyra.shared.vault.SecretLender;

/**
 * What every connector at work uses.
 *
 * @param buttons what pressed buttons do
 * @param held contents of files that are to be sent
 */
record ChannelServices(
        Gate<Journal> journal,
        Gate<Runs> runs,
        Inbox inbox,
        Buttons buttons,
        SecretLender secrets,
        Supplier<DispatchSettings> settings,
        HeldFiles held,
        InstantSource clock) {
    /** What a pressed button does. */
    interface Buttons {
        /** Does it; returns one line for who pressed it. */
        String press(ConnectorId connector, InboundAction action, String reason);

        /** Returns why the presser may not, in one line; empty when nothing is against it. */
        default String refusal(ConnectorId connector, String data, Sender sender) {
            return "";
        }

        /** Returns the buttons of approval cards. */
        static Buttons of(Cards cards) {
            return new Buttons() {
                @Override
                public String press(ConnectorId connector, InboundAction action, String reason) {
                    return cards.press(connector, action, reason);
                }

                @Override
                public String refusal(ConnectorId connector, String data, Sender sender) {
                    return cards.refusal(connector, data, sender);
                }
            };
        }
    }

    /** Returns what is not there at the moment. */
    List<String> absent() {
        List<String> absent = new ArrayList<>();
        if (!journal.isPresent()) {
            absent.add("the journal");
        }
        if (!runs.isPresent()) {
            absent.add("palyra.front");
        }
        return absent;
    }
}
