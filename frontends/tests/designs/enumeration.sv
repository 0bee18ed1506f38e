// An enumeration with values outside after a cast.
// expect: SAFE b0 (known:
// expect: UNSAFE b1 (other:
module top(input clk, input [1:0] k);
  typedef enum logic [1:0] {A = 1, B = 2, C = 3} e_t; e_t s = A;
  always @(posedge clk) case (s) A: if (k[0]) s <= B; B: s <= k[1] ? C : A; C: s <= A; default: s <= A; endcase
  known: assert property (s != 0); other: assert property (s != C);
endmodule
