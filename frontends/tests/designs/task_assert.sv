// A statement in a task.
// expect: UNSAFE b0 (
module top(input clk, input [1:0] a);
  task t(input [1:0] x); begin assert (x != 3); end endtask
  always @(posedge clk) t(a);
endmodule
