package palyra.testing.discord;

/**
 * A user of Discord.
 *
 * @param id snowflake
 * @param name user name
 * @param bot whether it is a program
 */
public record User(String id, String name, boolean bot) {
    /** Returns what a text mentions it by. */
    public String mention() {
        return "<@" + id + ">";
    }
}
