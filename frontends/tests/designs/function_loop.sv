// Loops in functions.
// expect: SAFE b0 (count:
// expect: UNSAFE b1 (four:
module top(input clk, input [7:0] d);
  function automatic [3:0] ones(input [7:0] x); integer i; begin ones = 0; for (i = 0; i < 8; i = i + 1) ones = ones + x[i]; end endfunction
  count: assert property (ones(d) <= 8);
  four: assert property (ones(d) != 4 || d[0]);
endmodule
