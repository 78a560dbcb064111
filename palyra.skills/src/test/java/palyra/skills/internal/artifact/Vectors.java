package palyra.skills.internal.artifact;

import palyra.skills.internal.Samples;

/** What an independent program computed for the entries of {@link ArtifactTest}. */
final class Vectors {
    static final String PAYLOAD =
            "6c026d5950a42df868fca0ce05f0aa6e6e0d37da33497b456fabd8377c36bbfc";
    static final String PUBLIC = "d04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737";
    static final String KEY_ID = "ed25519:10ba682c8ad13513";
    static final String SIGNATURE =
            "6086f90ebe7873498a45d712c1a586be5464f9185c9fa8f8d737b448a4d308fc"
                    + "76925852a4c984a3e0922f3cc7f0ac557c656d860feafd67416f95b9563e4d03";

    /** Over the payload, the publisher {@code acme} and the time {@link Samples#TIME}. */
    static final String STATEMENT =
            "560a07e926b14918c49db8b4447e15129731ac97b4f125d56aa9508b5fa77057";

    static final String STATEMENT_SIGNATURE =
            "9ba11f757f5f32da17b217b3c8b953683cfe3302b1cd053bb26b4987c6e84285"
                    + "caebe9b04cd59f849f621d6af87259c2881005f4377d440051388ba283c5f800";

    private Vectors() {}
}
