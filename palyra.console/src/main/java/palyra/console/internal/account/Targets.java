package palyra.console.internal.account;

/** Where a sign-in goes on. */
final class Targets {
    private static final String START = "/console/";
    private static final int LONGEST = 2_000;

    private Targets() {}

    /** Returns a path when it is a page of the console, else the first page. */
    static String own(String to) {
        boolean own =
                to.startsWith(START)
                        && to.length() <= LONGEST
                        && !to.startsWith("/console/sign-")
                        && !to.startsWith("/console/invitation")
                        && !to.startsWith("/console/events")
                        && !to.contains("\\")
                        && !to.contains("//")
                        && !to.contains("..")
                        && to.chars().noneMatch(point -> point <= ' ' || point == 127);
        return own ? to : START;
    }
}
