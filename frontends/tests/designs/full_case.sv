// An output that is `x` may have any value.
// expect: UNSAFE b0 (zero:
// expect: UNSAFE b1 (one:
module top(input [1:0] s);
  reg y, z;
  always @* begin
    case (s) 0: y = 0; 1: y = 0; default: y = 'x; endcase
    case (s) 0: z = 1; 1: z = 1; default: z = 'x; endcase
  end
  zero: assert property (!y);
  one: assert property (z);
endmodule
