// A statement in a function is about its calls.
// expect: UNSAFE b0 (
module top(input [1:0] a, output [1:0] y);
  function [1:0] f(input [1:0] x); begin f = x; assert (x != 3); end endfunction
  assign y = f(a);
endmodule
