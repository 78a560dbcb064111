/** Policy sets: where they come from, how they are checked, which one is in force. */
package palyra.policy.internal.set;
