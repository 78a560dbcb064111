/** Commands that run or judge one module exactly as a tool call would. */
package palyra.skills.internal.trycommand;
