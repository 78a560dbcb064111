package palyra.shell.internal.host;

import palyra.api.command.Command;
import palyra.api.command.CommandSpec;

/**
 * A command that can be run now. Two offers are the same only when they are one object.
 *
 * @param origin symbolic name of the bundle that contributed it
 * @param ranking its service ranking
 * @param serviceId its service id; breaks ties
 */
record Offer(Command command, CommandSpec spec, String origin, int ranking, long serviceId) {
    boolean beats(Offer other) {
        return ranking != other.ranking ? ranking > other.ranking : serviceId < other.serviceId;
    }
}
