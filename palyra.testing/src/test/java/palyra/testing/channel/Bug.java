package palyra.testing.channel;

/** What authors of connectors get wrong, with the rule that finds it and words of its complaint. */
enum Bug {
    CONFIRMS_BEFORE_ACCEPT("nothingIsConfirmedBeforeItWasTaken", "before accept() returned"),
    KEEPS_POSITION_BEFORE_ACCEPT("whatWasRefusedComesInTheNextLife", "2 messages to be taken in"),
    SKIPS_WHAT_WAS_REFUSED("refusedMessagesComeAgainInOrder", "4 messages to be taken in"),
    MAKES_IDS_UP("lostAcceptanceBringsTheSameIdAgain", "text 0, text 0"),
    HANDS_IN_SIDE_BY_SIDE("orderIsKeptInEachConversation", "at one time"),
    ASKS_IN_A_RUSH("refusalsAreNotAskedForInARush", "wait between attempts"),
    SENDS_AGAIN_BY_ITSELF("lostAnswerIsNeverARetry", "sends once"),
    LOST_ANSWER_IS_A_RETRY("lostAnswerIsNeverARetry", "RetryAfter"),
    SAYS_DELIVERED_WITHOUT_A_CONNECTION("withoutAConnectionNothingIsDelivered", "Delivered"),
    LOOKUP_KNOWS_NOTHING("lookupTellsWhatIsThere", "RetryAfter"),
    FORGETS_THE_KEY("repetitionsAreDropped", "an answer, an answer, an answer"),
    CUTS_WITHIN_CHARACTERS("renderedTextsFit", "within a character"),
    EDITS_POST_ANEW("editsReplaceTheMessage", "a better answer"),
    REACTIONS_PILE_UP("reactionMadeTwiceIsOne", "[👍, 👍, 👍]"),
    REACTS_BY_A_MESSAGE("reactionMadeTwiceIsOne", "at the message"),
    TYPES_BY_A_MESSAGE("typingIsShownOnceForEachCall", "no message"),
    TYPES_ONCE_ALONE("typingIsShownOnceForEachCall", "how often"),
    NEVER_RECONNECTS("reconnects", "to be READY"),
    SAYS_READY_ALWAYS("waitsForAPlatformThatIsAway", "a status that is not READY"),
    LEAVES_A_THREAD("livesLeaveNoThread", "threads live on"),
    WAITS_FOR_ACCEPT_AT_STOP("stopsInMidAccept", "stop() did not return"),
    FETCHES_WITHOUT_A_BOUND("filesAreFetchedUpToTheirBound", "bytes was fetched"),
    LEAVES_FILES_OUT("sentFilesArrive", "files of the message"),
    TELLS_THE_TOKEN("secretsGoNowhere", "a secret got out");

    private final String rule;
    private final String complaint;

    Bug(String rule, String complaint) {
        this.rule = rule;
        this.complaint = complaint;
    }

    /** Returns the name of the rule that finds it. */
    String rule() {
        return rule;
    }

    /** Returns words of what the rule says about it. */
    String complaint() {
        return complaint;
    }
}
