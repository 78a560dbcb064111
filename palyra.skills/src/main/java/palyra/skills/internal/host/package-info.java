/** What a skill can reach from inside its module, one class for each thing. */
package palyra.skills.internal.host;
