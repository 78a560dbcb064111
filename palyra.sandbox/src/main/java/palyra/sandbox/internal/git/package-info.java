/**
 * What a command leaves in the repositories of git in its workspace. Their settings and hooks make
 * programs outside run code, so at the end of each call they are compared with what was there
 * before it, and what could do that is undone.
 */
package palyra.sandbox.internal.git;
